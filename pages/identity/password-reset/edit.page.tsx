import { paths } from '../../../features/paths.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { Form, Submit } from '../../forms/form.tsx'
import { NewPasswordFields } from '../../forms/new-password-fields.tsx'
import { typedAddress } from '../../forms/typed-address.ts'
import { Username } from '../../forms/username.tsx'
import { AuthLayout } from '../../layouts/auth.tsx'
import { Heading } from '../../shared/heading.tsx'
import { forgetRequestedReset } from '../../visits/requested-reset.ts'
import { rich, t } from '../../words/t.ts'

export default function EditPasswordReset({ sid, email }: PageProps<'identity/password-reset/edit'>) {
  return (
    <>
      <Heading title={t('Reset your password')}>
        {rich('Choose a new one for {email}. You will be signed out on all your devices.', {
          email: <bdi>{email}</bdi>,
        })}
      </Heading>
      <Form
        to={paths.resetPassword()}
        validatesAhead
        onSuccess={({ flash }) => {
          if (!flash.notice) return
          typedAddress.current = email
          forgetRequestedReset()
        }}
      >
        <input type="hidden" name="sid" value={sid} />
        <Username of={{ email }} />
        <NewPasswordFields />
        <Submit>{t('Reset password')}</Submit>
      </Form>
    </>
  )
}

EditPasswordReset.layout = AuthLayout
