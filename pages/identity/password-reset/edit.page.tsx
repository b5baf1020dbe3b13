import { paths } from '../../../features/paths.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { AuthLayout } from '../../layouts/auth.tsx'
import { Form, Submit } from '../../shared/form.tsx'
import { Heading } from '../../shared/heading.tsx'
import { NewPasswordFields } from '../../shared/new-password-fields.tsx'
import { Username } from '../../shared/username.tsx'

export default function EditPasswordReset({ sid, email }: PageProps<'identity/password-reset/edit'>) {
  return (
    <>
      <Heading title="Reset your password">
        Choose a new one for {email}. You will be signed out on all your devices.
      </Heading>
      <Form to={paths.resetPassword()} validatesAhead>
        <input type="hidden" name="sid" value={sid} />
        <Username of={{ email }} />
        <NewPasswordFields />
        <Submit>Reset password</Submit>
      </Form>
    </>
  )
}

EditPasswordReset.layout = AuthLayout
