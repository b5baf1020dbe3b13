import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { Field } from '../forms/field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { AppLayout } from '../layouts/app.tsx'
import { Heading } from '../shared/heading.tsx'
import { OpenInvitations } from './open-invitations.tsx'

export default function NewAccount({ open_invitations }: PageProps<'accounts/new'>) {
  return (
    <div className="narrow">
      <OpenInvitations invitations={open_invitations} />
      <Heading title="New workspace">For a team, a client or a project. You will be its owner.</Heading>
      <div className="card">
        <Form to={paths.createAccount()}>
          <Field
            name="name"
            label="Name"
            autoComplete="organization"
            hint="Up to 60 characters; you can change it later."
            required
          />
          <Submit>Create workspace</Submit>
        </Form>
      </div>
    </div>
  )
}

NewAccount.layout = AppLayout
