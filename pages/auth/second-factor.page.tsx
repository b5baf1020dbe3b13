import { Link } from '@inertiajs/react'
import { useState } from 'react'
import { paths } from '../../features/paths.ts'
import { CodeField } from '../forms/code-field.tsx'
import { Field } from '../forms/field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { AuthLayout } from '../layouts/auth.tsx'
import { Heading } from '../shared/heading.tsx'

export default function SecondFactor() {
  const [lost, setLost] = useState(false)

  return (
    <>
      <Heading title="Prove that it is you">
        {lost
          ? 'Type one of the recovery codes that you kept when you turned two-factor authentication on.'
          : 'Open your authenticator app and type the six digits that it shows.'}
      </Heading>
      <Form key={String(lost)} to={paths.proveSecondFactor()}>
        {lost ? (
          <RecoveryCodeField />
        ) : (
          <CodeField autoFocus hint="A new one comes every half minute, and each works once." />
        )}
        <Submit>Sign in</Submit>
      </Form>
      <p className="auth-other">
        <button type="button" onClick={() => setLost(!lost)}>
          {lost ? 'Use my authenticator app' : 'Use a recovery code'}
        </button>
      </p>
      <p className="auth-other">
        Not you? <Link href={paths.signIn().url}>Start again</Link>
      </p>
    </>
  )
}

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
