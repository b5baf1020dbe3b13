import { Link } from '@inertiajs/react'
import { paths } from '../../../features/paths.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { showSignInNotice } from '../../auth/news.tsx'
import { EmailField, typedAddress } from '../../forms/email-field.tsx'
import { Form, Submit } from '../../forms/form.tsx'
import { AuthLayout } from '../../layouts/auth.tsx'
import { Heading } from '../../shared/heading.tsx'
import { rich, t } from '../../words/t.ts'

export default function NewPasswordReset({ invitation }: PageProps<'identity/password-reset/new'>) {
  return (
    <>
      <Heading title={t('Forgot your password?')}>
        {t("Enter your email, and we'll send you a link to choose a new one.")}
      </Heading>
      <Form
        to={paths.requestPasswordReset(invitation)}
        onSuccess={({ flash }) =>
          flash.notice && typedAddress.current && showSignInNotice({ kind: 'asked', email: typedAddress.current })
        }
      >
        <EmailField autoComplete="username" autoFocus />
        <Submit>{t('Send reset instructions')}</Submit>
      </Form>
      <p className="auth-other">
        {rich('Remembered it? {link}', { link: <Link href={paths.signInPage(invitation).url}>{t('Sign in')}</Link> })}
      </p>
    </>
  )
}

NewPasswordReset.layout = AuthLayout
