import { Link } from '@inertiajs/react'
import { useState } from 'react'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { AuthLayout } from '../layouts/auth.tsx'
import { Parts } from '../parts/parts.tsx'
import { Heading } from '../shared/heading.tsx'
import { rich, t } from '../words/t.ts'

export default function SecondStep(page: PageProps<'auth/second-factor'>) {
  const { user } = page.auth
  const [way, onWay] = useState<string>()
  const [along, onAlong] = useState<Record<string, string>>({})
  // sent once, and needed until the proof is right
  const [returnTo] = useState(page.return_to)
  const step = { page, to: paths.proveSecondFactor(returnTo), way, onWay, along, onAlong }

  return (
    <>
      <Heading title={t("Confirm it's you")}>
        {!user && rich('You are signing in as {email}.', { email: page.email })}{' '}
        {user && t('This page requires a second factor, and you signed in with only a password.')}{' '}
        <Parts of="auth/second-factor:lead" with={step} />
      </Heading>
      <Parts of="auth/second-factor" with={step} />
      <Parts of="auth/second-factor:other" with={step} />
      <p className="auth-other">
        {user
          ? rich('Not now? {link}', { link: <Link href={paths.security().url}>{t('Go to your settings')}</Link> })
          : rich('Not you? {link}', { link: <Link href={paths.signInPage().url}>{t('Start again')}</Link> })}
      </p>
    </>
  )
}

SecondStep.layout = AuthLayout
