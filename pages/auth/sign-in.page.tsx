import { Link } from '@inertiajs/react'
import { useRef, useState } from 'react'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { AuthLayout } from '../layouts/auth.tsx'
import { EmailField } from '../shared/email-field.tsx'
import { Form, Submit } from '../shared/form.tsx'
import { Heading } from '../shared/heading.tsx'
import { PasswordField } from '../shared/password-field.tsx'
import { Joining } from './joining.tsx'

export default function SignIn({ invitation_only, invitation, return_to }: PageProps<'auth/sign-in'>) {
  const password = useRef<HTMLInputElement>(null)
  const [returnTo] = useState(return_to) // told once, and needed until somebody is signed in
  const lead = returnTo ? 'Please sign in to continue.' : 'Good to see you again.'

  return (
    <>
      <Heading title="Sign in">{invitation ? <Joining {...invitation} /> : lead}</Heading>
      {/* Refused, the visit ends on this page again: most often it was the password. */}
      <Form to={paths.createSession(invitation?.token, returnTo)} onSuccess={() => password.current?.select()}>
        <EmailField autoComplete="username" />
        <PasswordField name="password" label="Password" autoComplete="current-password" ref={password} />
        <Submit>Sign in</Submit>
      </Form>
      <p className="auth-other">
        <Link href={paths.newPasswordReset(invitation?.token).url}>Forgot your password?</Link>
      </p>
      {(invitation || !invitation_only) && (
        <p className="auth-other">
          No account yet? <Link href={paths.signUp(invitation?.token).url}>Sign up</Link>
        </p>
      )}
    </>
  )
}

SignIn.layout = AuthLayout
