import { Link } from '@inertiajs/react'
import { useState } from 'react'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { CodeField } from '../forms/code-field.tsx'
import { Field } from '../forms/field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { AuthLayout } from '../layouts/auth.tsx'
import { Heading } from '../shared/heading.tsx'
import { PasskeyButton } from './passkey-button.tsx'

type Props = PageProps<'auth/second-factor'>

export default function SecondFactor({ code, passkey, return_to, auth: { user } }: Props) {
  const [lost, setLost] = useState(false)
  // sent once, and needed until the proof is right
  const [returnTo] = useState(return_to)
  const to = paths.proveSecondFactor(returnTo)

  return (
    <>
      <Heading title="Prove that it is you">
        {user && 'What you asked for opens only with a second factor, and you signed in with a password alone. '}
        {code && (lost ? recoveryCode : appCode)}
      </Heading>
      {code && (
        <Form key={String(lost)} to={to}>
          {lost ? (
            <RecoveryCodeField />
          ) : (
            <CodeField autoFocus hint="A new one comes every half minute, and each works once." />
          )}
          <Submit>{user ? 'Continue' : 'Sign in'}</Submit>
        </Form>
      )}
      {passkey && (
        <PasskeyButton to={to} label="Use a passkey">
          {code ? 'Instead of a code: your' : 'Your'} finger, your face or the PIN of your device.
        </PasskeyButton>
      )}
      {code && (
        <p className="auth-other">
          <button type="button" onClick={() => setLost(!lost)}>
            {lost ? 'Use my authenticator app' : 'Use a recovery code'}
          </button>
        </p>
      )}
      {user ? (
        <p className="auth-other">
          Not now? <Link href={paths.security().url}>Go to your settings</Link>
        </p>
      ) : (
        <p className="auth-other">
          Not you? <Link href={paths.signIn().url}>Start again</Link>
        </p>
      )}
    </>
  )
}

const appCode = 'Open your authenticator app and type the six digits that it shows.'
const recoveryCode = 'Type one of the recovery codes that you kept when you turned two-factor authentication on.'

const RecoveryCodeField = () => (
  <Field
    name="code"
    label="Recovery code"
    hint="24 letters and digits. Spaces, dashes and capitals do not matter."
    autoCapitalize="characters"
    autoComplete="off"
    autoCorrect="off"
    spellCheck={false}
    autoFocus
    required
  />
)

SecondFactor.layout = AuthLayout
