import { mailCodesPaths } from '../../../features/mail-codes/paths.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { AddressFirst } from '../../auth/address-first.tsx'
import { AuthLayout } from '../../layouts/auth.tsx'
import { t } from '../../words/t.ts'

export default function NewCode({ invitation, return_to }: PageProps<'auth/new-code'>) {
  return (
    <AddressFirst
      title={t('Email me a code')}
      lead={t('It works for ten minutes, in this browser alone.')}
      to={mailCodesPaths.requestMailCode()}
      context={{ invitation, return_to }}
    />
  )
}

NewCode.layout = AuthLayout
