import { Link, router } from '@inertiajs/react'
import { use, useState } from 'react'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { text } from '../../plugins/languages/text.ts'
import { CodeField } from '../forms/code-field.tsx'
import { Field } from '../forms/field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { AuthLayout } from '../layouts/auth.tsx'
import { AppName } from '../shared/brand.tsx'
import { Heading } from '../shared/heading.tsx'
import { rich, t } from '../words/t.ts'
import { PasskeyButton } from './passkey-button.tsx'

type Props = PageProps<'auth/second-factor'>

export default function SecondFactor({ code, passkey, return_to, auth: { user } }: Props) {
  const [lost, setLost] = useState(false)
  // sent once, and needed until the proof is right
  const [returnTo] = useState(return_to)
  const to = paths.proveSecondFactor(returnTo)
  const appName = use(AppName)
  const change = () => {
    router.replaceProp('errors', {}) // what was wrong with the one says nothing about the other
    setLost(!lost)
  }

  return (
    <>
      <Heading title={t('Prove that it is you')}>
        {user && t('What you asked for opens only with a second factor, and you signed in with a password alone.')}{' '}
        {code && t(lost ? recoveryCode : appCode)}
      </Heading>
      {code && (
        <Form key={String(lost)} to={to}>
          {lost ? (
            <RecoveryCodeField />
          ) : (
            <CodeField autoFocus hint={t('A new one comes every half minute, and each works once.')} />
          )}
          <Submit>{user ? t('Continue') : t('Sign in')}</Submit>
        </Form>
      )}
      {passkey && (
        <PasskeyButton to={to} label={t('Use a passkey')}>
          {code
            ? t('Instead of a code: your finger, your face or the PIN of your device.')
            : t('Your finger, your face or the PIN of your device.')}
        </PasskeyButton>
      )}
      {code && (
        <p className="auth-other">
          <button type="button" onClick={change}>
            {lost ? t('Use my authenticator app') : t('Use a recovery code')}
          </button>
        </p>
      )}
      {code && lost && (
        <p className="auth-other">
          {t('Lost both? Ask whoever runs {appName}: they make sure that it is you, and turn it off.', { appName })}
        </p>
      )}
      {user ? (
        <p className="auth-other">
          {rich('Not now? {link}', { link: <Link href={paths.security().url}>{t('Go to your settings')}</Link> })}
        </p>
      ) : (
        <p className="auth-other">
          {rich('Not you? {link}', { link: <Link href={paths.signIn().url}>{t('Start again')}</Link> })}
        </p>
      )}
    </>
  )
}

const appCode = text('Open your authenticator app and type the six digits that it shows.')
const recoveryCode = text('Type one of the recovery codes that you kept when you turned two-factor authentication on.')

const RecoveryCodeField = () => (
  <Field
    name="code"
    label={t('Recovery code')}
    hint={t('24 letters and digits. Spaces, dashes and capitals do not matter.')}
    autoCapitalize="characters"
    autoComplete="off"
    autoCorrect="off"
    spellCheck={false}
    autoFocus
    required
  />
)

SecondFactor.layout = AuthLayout
