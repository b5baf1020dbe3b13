import { Link } from '@inertiajs/react'
import { useState } from 'react'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { EmailField } from '../forms/email-field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { PasswordField } from '../forms/password-field.tsx'
import { guestFeatures } from '../guest-features.ts'
import { AuthLayout } from '../layouts/auth.tsx'
import { GuestParts } from '../parts/guest-parts.tsx'
import { useOn } from '../parts/on.ts'
import { Heading } from '../shared/heading.tsx'
import { useEndedSession } from '../visits/session.ts'
import { rich, t } from '../words/t.ts'
import { Joining } from '../words/workspace.tsx'
import { asLastUsed, LastUsed } from './last-used.tsx'
import { NewsCard, useNews } from './news.tsx'

export default function SignIn(props: PageProps<'auth/sign-in'>) {
  const { invitation_only, invitation, return_to, last_method } = props
  // sent once, and needed until the person has signed in
  const [returnTo] = useState(return_to)
  const ended = useEndedSession()
  const news = useNews()
  const offers = useOn(guestFeatures).flatMap(({ autoComplete }) => autoComplete ?? [])
  const isLast = last_method === 'password'
  const token = invitation?.token
  const context = { invitation: token, returnTo, page: props }
  const email = news?.email ?? ended ?? invitation?.email

  return (
    <>
      <Heading title={t('Sign in')}>
        {invitation ? <Joining {...invitation} /> : !news && welcome(ended !== undefined, returnTo !== undefined)}
      </Heading>
      {news && <NewsCard {...news} invitation={token} />}
      <GuestParts of="auth/sign-in:first" with={context} />
      <Form to={paths.signIn(token, returnTo)}>
        <EmailField
          key={news?.email} // another one was restored than the one that was typed
          autoComplete={['username', ...offers].join(' ')}
          defaultValue={email}
          autoFocus={!email}
        />
        <PasswordField
          key={`password ${email}`} // which has the focus once the address is there
          autoFocus={email !== undefined}
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
        <GuestParts of="auth/sign-in:more" with={{ ...context, shows: (method) => method === last_method }} />
        <details className="more-ways">
          <summary>{t('More ways')}</summary>
          <GuestParts of="auth/sign-in:more" with={{ ...context, shows: (method) => method !== last_method }} />
        </details>
      </Form>
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
