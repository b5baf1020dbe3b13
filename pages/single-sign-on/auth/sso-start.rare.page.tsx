import { Link, usePage } from '@inertiajs/react'
import { useState } from 'react'
import { paths } from '../../../features/paths.ts'
import { singleSignOnPaths } from '../../../features/single-sign-on/paths.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { Form, Submit } from '../../forms/form.tsx'
import { AuthLayout } from '../../layouts/auth.tsx'
import { Heading } from '../../shared/heading.tsx'
import { Time } from '../../shared/time.tsx'
import { rich, t } from '../../words/t.ts'

export default function StartSingleSignOn(props: PageProps<'auth/sso-start'>) {
  const { auth, slug, invitation, unavailable, second_factor, second_factor_from } = props
  const { flash } = usePage()
  const [returnTo] = useState(props.return_to) // sent once
  const workspace = <strong dir="ltr">/{slug}</strong>
  const lead = () => {
    if (unavailable)
      return rich('{workspace} asks for single sign-on, but has no provider. Ask an owner to connect one.', {
        workspace,
      })
    if (flash.alert === t('Your provider knows somebody else')) return t('Sign out there and try again.')
    if (auth.user && returnTo)
      return rich('{workspace} asks you to sign in with its provider. You come back to the page that you wanted.', {
        workspace,
      })
    return rich('Continue to the provider of {workspace}, which signs you in.', { workspace })
  }

  return (
    <>
      <Heading title={t('Single sign-on')}>{lead()}</Heading>
      {!unavailable && (
        <Form
          to={singleSignOnPaths.startSingleSignOn(slug)}
          data={{ ...(invitation && { invitation }), ...(returnTo && { return_to: returnTo }) }}
        >
          <Submit>{t('Continue with single sign-on')}</Submit>
        </Form>
      )}
      {second_factor && (
        <p className="auth-other">
          <Link href={paths.secondFactor(returnTo ?? paths.account(slug).url).url}>
            {t('You own this workspace: use your second factor instead')}
          </Link>
        </p>
      )}
      {second_factor_from && (
        <p className="auth-other">
          {rich('You own this workspace: your second factor is new, and lets you in from {time} on.', {
            time: <Time at={second_factor_from} />,
          })}
        </p>
      )}
      <p className="auth-other">
        {auth.user ? (
          <Link href={paths.security().url}>{t('Go to your settings')}</Link>
        ) : (
          <Link href={paths.signInPage(invitation, returnTo).url}>{t('Sign in another way')}</Link>
        )}
      </p>
    </>
  )
}

StartSingleSignOn.layout = AuthLayout
