import { Link } from '@inertiajs/react'
import { paths } from '../../../features/paths.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { AuthLayout } from '../../layouts/auth.tsx'
import { EmailField } from '../../shared/email-field.tsx'
import { Form, Submit } from '../../shared/form.tsx'
import { Heading } from '../../shared/heading.tsx'

export default function NewPasswordReset({ invitation }: PageProps<'identity/password-reset/new'>) {
  return (
    <>
      <Heading title="Forgot your password?">Tell us your email, and we send you a link to choose a new one.</Heading>
      {/* The server gives every address the same answer, so that only the browser can point out a slip. */}
      <Form to={paths.requestPasswordReset(invitation)} noValidate={false}>
        <EmailField autoComplete="username" />
        <Submit>Send reset instructions</Submit>
      </Form>
      <p className="auth-other">
        Remembered it? <Link href={paths.signIn(invitation).url}>Sign in</Link>
      </p>
    </>
  )
}

NewPasswordReset.layout = AuthLayout
