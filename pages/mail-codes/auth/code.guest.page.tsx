import { Link, router } from '@inertiajs/react'
import { use, useEffect, useState } from 'react'
import { mailCodesPaths } from '../../../features/mail-codes/paths.ts'
import { paths } from '../../../features/paths.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { Form, Submit } from '../../forms/form.tsx'
import { CodeField } from '../../forms/more-fields.tsx'
import { AuthLayout } from '../../layouts/auth.tsx'
import { Heading } from '../../shared/heading.tsx'
import { SiteContext } from '../../shared/site.ts'
import { rich, t } from '../../words/t.ts'

const pauseMs = 30_000 // by then, most mails have arrived

export default function Code({ email }: PageProps<'auth/code'>) {
  const { appName } = use(SiteContext)
  const [round, setRound] = useState(0)

  return (
    <>
      <Heading title={t('Enter your code')}>
        {rich('If {email} belongs to a verified account, {appName} has just sent it a mail with eight digits.', {
          email: <strong dir="auto">{email || t('this address')}</strong>,
          appName,
        })}
      </Heading>
      <Form key={round} to={mailCodesPaths.verifyMailCode()}>
        <CodeField digits={8} autoFocus hint={t('It works for ten minutes, in this browser alone.')} />
        <Submit>{t('Sign in')}</Submit>
      </Form>
      <p className="auth-other">
        <NewCode key={round} email={email} onSent={() => setRound(round + 1)} />
      </p>
      <p className="auth-other">
        <Link href={paths.signInPage().url}>{t('Use my password instead')}</Link>
      </p>
    </>
  )
}

/** Asks again, once the first mail should have arrived: it would void the code in it. */
function NewCode({ email, onSent }: { email: string; onSent(): void }) {
  const [isOffered, setOffered] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setOffered(true), pauseMs)
    return () => clearTimeout(timer)
  }, [])

  if (!isOffered) return t('Nothing there? Look into the spam folder, too.')
  const send = () => router.post(mailCodesPaths.requestMailCode().url, { email }, { onSuccess: onSent })
  return rich('Nothing there? {button}', {
    button: (
      <button type="button" onClick={send}>
        {t('Email me a new code')}
      </button>
    ),
  })
}

Code.layout = AuthLayout
