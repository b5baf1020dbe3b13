import type { PageProps } from '../../plugins/inertia/pages.ts'
import { AuthLayout } from '../layouts/auth.tsx'
import { Heading } from '../shared/heading.tsx'
import { t } from '../words/t.ts'
import { ToHome, ToWorkspaces } from './heading.tsx'

export default function VoidInvitation({ auth }: PageProps<'invitations/void'>) {
  return (
    <>
      <Heading title={t('This invitation was replaced or withdrawn')}>
        {t(
          'If a newer email invites you, use the link in that one. Otherwise, ask the person who sent it for a new one.',
        )}
      </Heading>
      <div className="answers">{auth.user ? <ToWorkspaces /> : <ToHome />}</div>
    </>
  )
}

VoidInvitation.layout = AuthLayout
