import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { AppLayout } from '../layouts/app.tsx'
import { SettingsLayout } from '../layouts/settings.tsx'
import { CurrentPasswordField } from '../shared/current-password-field.tsx'
import { Form, Submit } from '../shared/form.tsx'
import { Heading } from '../shared/heading.tsx'
import { NewPasswordFields } from '../shared/new-password-fields.tsx'
import { Username } from '../shared/username.tsx'

export default function Password({ auth: { user } }: PageProps<'settings/password'>) {
  return (
    <>
      <Heading title="Password">Changing it signs you out on all your other devices.</Heading>
      <div className="card">
        <Form to={paths.changePassword()} validatesAhead="sparingly">
          {user && <Username of={user} />}
          <CurrentPasswordField />
          <NewPasswordFields label="New password" />
          <Submit>Change password</Submit>
        </Form>
      </div>
    </>
  )
}

Password.layout = [AppLayout, SettingsLayout]
