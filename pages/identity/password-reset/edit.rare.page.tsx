import { paths } from '../../../features/paths.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { showSignInNotice } from '../../auth/news.tsx'
import { Form, Submit } from '../../forms/form.tsx'
import { NewPasswordField, Username, withConfirmation } from '../../forms/password-field.tsx'
import { AuthLayout } from '../../layouts/auth.tsx'
import { Heading } from '../../shared/heading.tsx'
import { rich, t } from '../../words/t.ts'

export default function EditPasswordReset({ sid, email }: PageProps<'identity/password-reset/edit'>) {
  return (
    <>
      <Heading title={t('Reset your password')}>
        {rich('Choose a new one for {email}. You will be signed out on all your devices.', { email })}
      </Heading>
      <Form
        to={paths.resetPassword()}
        data={withConfirmation}
        validatesAhead
        onSuccess={({ flash }) => flash.notice && showSignInNotice({ kind: 'reset', email })}
      >
        <input type="hidden" name="sid" value={sid} />
        <Username of={{ email }} />
        <NewPasswordField autoFocus />
        <Submit>{t('Reset password')}</Submit>
      </Form>
    </>
  )
}

EditPasswordReset.layout = AuthLayout
