import { Link } from '@inertiajs/react'
import { useState } from 'react'
import { passkeysPaths } from '../../features/passkeys/paths.ts'
import { paths } from '../../features/paths.ts'
import { singleSignOnPaths } from '../../features/single-sign-on/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { EmailField } from '../forms/email-field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { PasswordField } from '../forms/password-field.tsx'
import { AuthLayout } from '../layouts/auth.tsx'
import { MailCodeButton } from '../mail-codes/mail-code-button.tsx'
import { PasskeyButton } from '../passkeys/passkey-button.tsx'
import { Providers } from '../providers/providers.tsx'
import { Heading } from '../shared/heading.tsx'
import { useEndedSession } from '../visits/session.ts'
import { rich, t } from '../words/t.ts'
import { Joining } from '../words/workspace.tsx'
import { asLastUsed, LastUsed, rememberMethod, useLastMethod } from './last-method.tsx'
import { NewsCard, useNews } from './news.tsx'

export default function SignIn(props: PageProps<'auth/sign-in'>) {
  const { invitation_only, providers, invitation, return_to, mail_codes, sso } = props
  // sent once, and needed until the person has signed in
  const [returnTo] = useState(return_to)
  const ended = useEndedSession()
  const news = useNews()
  const isLast = useLastMethod() === 'password'
  const token = invitation?.token

  return (
    <>
      <Heading title={t('Sign in')}>
        {invitation ? <Joining {...invitation} /> : !news && welcome(ended !== undefined, returnTo !== undefined)}
      </Heading>
      {news && <NewsCard {...news} invitation={token} />}
      <Providers providers={providers} verb="Sign in" invitation={token} returnTo={returnTo} />
      <Form to={paths.signIn(token, returnTo)} onSuccess={({ flash }) => flash.alert || rememberMethod('password')}>
        <EmailField
          key={news?.email} // another one was restored than the one that was typed
          autoComplete="username webauthn"
          defaultValue={news?.email ?? ended ?? invitation?.email}
          autoFocus
        />
        <PasswordField
          name="password"
          label={t('Password')}
          autoComplete="current-password"
          aside={
            <Link className="link" href={paths.newPasswordReset(token).url}>
              {t('Forgot your password?')}
            </Link>
          }
        />
        <Submit {...asLastUsed(isLast)}>
          {t('Sign in')} {isLast && <LastUsed />}
        </Submit>
        {mail_codes && <MailCodeButton invitation={token} returnTo={returnTo} />}
      </Form>
      <PasskeyButton
        to={passkeysPaths.signInWithPasskey()}
        data={{ invitation: token, return_to: returnTo }}
        label={t('Sign in with a passkey')}
        offers
      >
        {t('No password needed: use your fingerprint, face or device PIN.')}
      </PasskeyButton>
      {sso && (
        <p className="auth-other">
          <Link href={singleSignOnPaths.singleSignOnByEmail(token, returnTo).url}>
            {t('Sign in with your company')}
          </Link>
        </p>
      )}
      {(invitation || !invitation_only) && (
        <p className="auth-other">
          {rich('No account yet? {link}', {
            link: <Link href={paths.signUpPage(token, returnTo).url}>{t('Sign up')}</Link>,
          })}
        </p>
      )}
    </>
  )
}

function welcome(ended: boolean, asked: boolean) {
  if (ended)
    return t(
      `You've been signed out: in another tab, from another device, or because the password was changed. Sign in to
        pick up where you left off. What you typed there is still there.`,
    )
  return asked ? t('Please sign in to continue.') : t('Good to see you again.')
}

SignIn.layout = AuthLayout
