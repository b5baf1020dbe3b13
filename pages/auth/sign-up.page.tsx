import { Link } from '@inertiajs/react'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { AuthLayout } from '../layouts/auth.tsx'
import { EmailField } from '../shared/email-field.tsx'
import { Field } from '../shared/field.tsx'
import { Form, Submit } from '../shared/form.tsx'
import { Heading } from '../shared/heading.tsx'
import { NewPasswordFields } from '../shared/new-password-fields.tsx'
import { Joining } from './joining.tsx'

export default function SignUp({ invitation }: PageProps<'auth/sign-up'>) {
  return (
    <>
      <Heading title="Sign up">
        {invitation ? <Joining {...invitation} /> : 'You get an account of your own right away.'}
      </Heading>
      <Form to={paths.createUser(invitation?.token)} validatesAhead>
        <Field name="name" label="Name" autoComplete="name" required />
        <EmailField autoComplete="username" defaultValue={invitation?.email} />
        <NewPasswordFields />
        <Submit>Sign up</Submit>
      </Form>
      <p className="auth-other">
        Have an account already? <Link href={paths.signIn(invitation?.token).url}>Sign in</Link>
      </p>
    </>
  )
}

SignUp.layout = AuthLayout
