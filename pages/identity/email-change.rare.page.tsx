import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { Form, Submit } from '../forms/form.tsx'
import { NewPasswordField, Username, withConfirmation } from '../forms/password-field.tsx'
import { AuthLayout } from '../layouts/auth.tsx'
import { Heading } from '../shared/heading.tsx'
import { rich, t } from '../words/t.ts'

export default function EmailChange({ sid, email }: PageProps<'identity/email-change'>) {
  return (
    <>
      <Heading title={t('Take your account back')}>
        {rich(
          `Your account gets {email} back as its address. Everyone is signed out of it, everything else that
            lets somebody in is removed, and invitations sent since then are withdrawn. Choose a new password, and you
            are signed in.`,
          { email },
        )}
      </Heading>
      <Form to={paths.undoEmailChange()} data={withConfirmation}>
        <input type="hidden" name="sid" value={sid} />
        <Username of={{ email }} />
        <NewPasswordField autoFocus />
        <Submit>{t('Restore my email')}</Submit>
      </Form>
      <p className="auth-other">{t('If you changed it yourself, close this page: nothing has changed.')}</p>
    </>
  )
}

EmailChange.layout = AuthLayout
