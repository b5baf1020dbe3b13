import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { showSignInNotice } from '../auth/news.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { AuthLayout } from '../layouts/auth.tsx'
import { Heading } from '../shared/heading.tsx'
import { rich, t } from '../words/t.ts'

export default function EmailChange({ sid, email }: PageProps<'identity/email-change'>) {
  return (
    <>
      <Heading title={t('Take your account back')}>
        {rich(
          `Your account gets {email} back as its address. Everyone is signed out of it, its passkeys, connected
            accounts, tokens and two-factor authentication are removed, invitations sent since then are withdrawn, and
            we email you a link to choose a new password.`,
          { email },
        )}
      </Heading>
      <Form
        to={paths.undoEmailChange()}
        onSuccess={({ component, flash }) =>
          flash.notice && component === 'auth/sign-in' && showSignInNotice({ kind: 'restored', email })
        }
      >
        <input type="hidden" name="sid" value={sid} />
        <Submit>{t('Restore my email')}</Submit>
      </Form>
      <p className="auth-other">{t('If you changed it yourself, close this page: nothing has changed.')}</p>
    </>
  )
}

EmailChange.layout = AuthLayout
