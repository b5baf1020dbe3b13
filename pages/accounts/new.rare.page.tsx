import { maxAccountNameLength } from '../../features/bounds.ts'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { NameField } from '../forms/field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { AppLayout } from '../layouts/app.tsx'
import { Heading } from '../shared/heading.tsx'
import { t } from '../words/t.ts'
import { OpenInvitations } from './open-invitations.tsx'

export default function NewAccount({ open_invitations }: PageProps<'accounts/new'>) {
  return (
    <div className="narrow">
      <OpenInvitations invitations={open_invitations} />
      <Heading title={t('New workspace')}>{t('For a team, a client or a project. You will be its owner.')}</Heading>
      <div className="card">
        <Form to={paths.createAccount()}>
          <NameField
            autoComplete="organization"
            hint={t('Up to {max} characters; you can change it later.', { max: maxAccountNameLength })}
          />
          <Submit>{t('Create workspace')}</Submit>
        </Form>
      </div>
    </div>
  )
}

NewAccount.layout = AppLayout
