import { Link } from '@inertiajs/react'
import { useState } from 'react'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { EmailField } from '../forms/email-field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { PasswordField } from '../forms/password-field.tsx'
import { AuthLayout } from '../layouts/auth.tsx'
import { Heading } from '../shared/heading.tsx'
import { useRequestedReset } from '../visits/requested-reset.ts'
import { useEndedSession } from '../visits/session.ts'
import { rememberWayIn, useLastWayIn } from '../visits/way-in.ts'
import { rich, t } from '../words/t.ts'
import { CheckMail } from './check-mail.tsx'
import { Joining } from './joining.tsx'
import { asLastUsed, LastUsed } from './last-used.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { Providers } from './providers.tsx'

export default function SignIn({ invitation_only, providers, invitation, return_to }: PageProps<'auth/sign-in'>) {
  // sent once, and needed until the person has signed in
  const [returnTo] = useState(return_to)
  const ended = useEndedSession()
  const requested = useRequestedReset()
  const last = useLastWayIn()

  return (
    <>
      <Heading title={t('Sign in')}>
        {invitation ? (
          <Joining {...invitation} />
        ) : (
          <Welcome ended={ended !== undefined} asked={returnTo !== undefined} />
        )}
      </Heading>
      {requested && <CheckMail email={requested} invitation={invitation?.token} />}
      <Providers providers={providers} verb="Sign in" invitation={invitation?.token} returnTo={returnTo} />
      <Form
        to={paths.createSession(invitation?.token, returnTo)}
        onSuccess={({ flash }) => flash.alert || rememberWayIn('password')}
      >
        <EmailField autoComplete="username webauthn" defaultValue={ended ?? invitation?.email} autoFocus />
        <PasswordField name="password" label={t('Password')} autoComplete="current-password" />
        <Submit {...asLastUsed(last === 'password')}>
          {t('Sign in')} {last === 'password' && <LastUsed />}
        </Submit>
      </Form>
      <PasskeyButton
        to={paths.signInWithPasskey()}
        data={{ invitation: invitation?.token, return_to: returnTo }}
        label={t('Sign in with a passkey')}
        offers
      >
        {t('No password needed: use your fingerprint, face or device PIN.')}
      </PasskeyButton>
      <p className="auth-other">
        <Link href={paths.newPasswordReset(invitation?.token).url}>{t('Forgot your password?')}</Link>
      </p>
      {(invitation || !invitation_only) && (
        <p className="auth-other">
          {rich('No account yet? {link}', {
            link: <Link href={paths.signUp(invitation?.token, returnTo).url}>{t('Sign up')}</Link>,
          })}
        </p>
      )}
    </>
  )
}

function Welcome({ ended, asked }: { ended: boolean; asked: boolean }) {
  if (ended) {
    return (
      <>
        {t(
          `You've been signed out: in another tab, from another device, or because the password was changed. Sign in to
            pick up where you left off. What you typed there is still there.`,
        )}
      </>
    )
  }
  return asked ? t('Please sign in to continue.') : t('Good to see you again.')
}

SignIn.layout = AuthLayout
