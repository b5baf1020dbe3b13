import { Link } from '@inertiajs/react'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { EmailField } from '../forms/email-field.tsx'
import { Field } from '../forms/field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { typedAddress } from '../forms/typed-address.ts'
import { AuthLayout } from '../layouts/auth.tsx'
import { ButtonLink } from '../shared/button.tsx'
import { Heading } from '../shared/heading.tsx'
import { Joining } from './joining.tsx'

/** Finishes a sign-up that began at a provider. */
export default function Provider(props: PageProps<'auth/provider'>) {
  return props.taken ? <Taken {...props} /> : <Newcomer {...props} />
}

function Newcomer({ provider, email, name, proved, invitation }: PageProps<'auth/provider'>) {
  return (
    <>
      <Heading title="Almost there">
        {invitation ? <Joining {...invitation} /> : 'You get an account of your own right away.'}
      </Heading>
      <Form to={paths.createProviderUser(provider.id)} validatesAhead>
        <Field name="name" label="Name" autoComplete="name" defaultValue={name ?? undefined} required autoFocus />
        <EmailField
          autoComplete="username"
          defaultValue={email ?? undefined}
          readOnly={proved}
          hint={
            proved ? (
              <>{provider.name} vouches for this address, so it needs no other proof.</>
            ) : (
              <>{provider.name} does not vouch for an address, so we send a mail there.</>
            )
          }
          remedies={{ 'has already been taken': <Link href={paths.signIn().url}>Sign in?</Link> }}
        />
        <Submit>Sign up</Submit>
      </Form>
      <p className="auth-other">
        Have an account already? <Link href={signInHere}>Sign in</Link> and connect {provider.name} in your settings.
      </p>
    </>
  )
}

function Taken({ provider, email, invitation }: PageProps<'auth/provider'>) {
  return (
    <>
      <Heading title="You are known here">
        Somebody with the address <bdi>{email}</bdi> has signed up before, and not with {provider.name}.
      </Heading>
      <p className="provider-taken">
        If that was you, sign in as you did then. Right after that you can connect {provider.name} on the security page
        of your settings, and sign in with it from then on.
      </p>
      <ButtonLink
        look="primary"
        size="large"
        href={invitation ? paths.signIn(invitation.token).url : signInHere}
        onClick={() => {
          typedAddress.current = email ?? undefined
        }}
      >
        Sign in
      </ButtonLink>
    </>
  )
}

const signInHere = paths.signIn('', paths.security().url).url

Provider.layout = AuthLayout
