import { Link } from '@inertiajs/react'
import { useState } from 'react'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { EmailField } from '../forms/email-field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { PasswordField } from '../forms/password-field.tsx'
import { AuthLayout } from '../layouts/auth.tsx'
import { Heading } from '../shared/heading.tsx'
import { useEndedSession } from '../visits/session.ts'
import { rich, t } from '../words/t.ts'
import { Joining } from '../words/workspace.tsx'
import { NewsCard, useNews } from './news.tsx'
import { LastUsed, Or, useWays, Ways, WaysInSight } from './ways.tsx'

export default function SignIn(props: PageProps<'auth/sign-in'>) {
  const { invitation_only, invitation, return_to, last_method } = props
  // sent once, and needed until the person has signed in
  const [returnTo] = useState(return_to)
  const ended = useEndedSession()
  const news = useNews()
  const ways = useWays(props)
  const offers = ways.flatMap(({ autoComplete }) => autoComplete ?? [])
  const token = invitation?.token
  const context = { invitation: token, returnTo, verb: 'Sign in' } as const
  const email = news?.email ?? ended ?? invitation?.email
  const last = ways.filter(({ id }) => id === last_method)
  const others = ways.filter(({ id }) => id !== last_method)
  const submit = <Submit>{t('Sign in')}</Submit>

  return (
    <>
      <Heading title={t('Sign in')}>
        {invitation ? <Joining {...invitation} /> : !news && welcome(ended !== undefined, returnTo !== undefined)}
      </Heading>
      {news && <NewsCard {...news} invitation={token} />}
      <Form to={paths.signIn(token, returnTo)}>
        {last.length > 0 && (
          <>
            <LastUsed focuses={!email}>
              <Ways of={last} {...context} />
            </LastUsed>
            <Or />
          </>
        )}
        <EmailField
          key={news?.email} // another one was restored than the one that was typed
          autoComplete={['username', ...offers].join(' ')}
          defaultValue={email}
          autoFocus={!email && last.length === 0}
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
        {last_method === 'password' ? <LastUsed>{submit}</LastUsed> : submit}
        <WaysInSight of={others.filter(({ signsUp }) => signsUp)} {...context} />
        <details className="more-ways">
          <summary>{t('More ways')}</summary>
          <Ways of={others.filter(({ signsUp }) => !signsUp)} {...context} />
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
