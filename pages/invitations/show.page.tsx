import { Head, router, usePage } from '@inertiajs/react'
import type { ReactNode } from 'react'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { AuthLayout } from '../layouts/auth.tsx'
import { Button, ButtonLink } from '../shared/button.tsx'
import { Form, Submit } from '../shared/form.tsx'

type Props = PageProps<'invitations/show'>
type Received = Props & { token: string }

export default function Invitation(props: Props) {
  const inviter = props.inviter_name ?? 'Somebody'
  const token = usePage().url.split(/[/?]/)[2] ?? ''

  return (
    <>
      <header className="heading">
        <Head title={`${inviter} invited you to ${props.account_name}`} />
        <h1>
          <bdi>{inviter}</bdi> invited you to <bdi>{props.account_name}</bdi>
        </h1>
        <p className="heading-lead">
          <Circumstances {...props} />
        </p>
      </header>
      <div className="answers">
        <Answers {...props} token={token} />
      </div>
    </>
  )
}

function Circumstances({ email, signed_in_as, expired }: Props) {
  if (expired)
    return 'This invitation has expired, or was accepted already. If you need a new one, ask whoever invited you.'

  const invited = <strong>{email}</strong>
  if (signed_in_as === null) return <>It is for {invited}. Sign up with this address, or sign in if you already have.</>
  if (signed_in_as === email) return <>You are signed in as {invited}.</>
  return (
    <>
      It is for {invited}, and you are signed in as <strong>{signed_in_as}</strong>. To accept it, sign out and come
      back with the other address.
    </>
  )
}

function Answers({ email, signed_in_as, expired, auth, token }: Received): ReactNode {
  if (expired) return <Back signedIn={signed_in_as !== null} />
  if (signed_in_as === null) {
    return (
      <>
        <ButtonLink look="primary" size="large" href={paths.signUp(token).url}>
          Sign up
        </ButtonLink>
        <ButtonLink size="large" href={paths.signIn(token).url}>
          Sign in
        </ButtonLink>
      </>
    )
  }
  if (signed_in_as === email) {
    return (
      <Form to={paths.acceptInvitation(token)}>
        <Submit>Accept invitation</Submit>
      </Form>
    )
  }
  return (
    <>
      <Button look="primary" size="large" onClick={() => auth.session && signOut(auth.session.id, token)}>
        Sign out
      </Button>
      <Back signedIn />
    </>
  )
}

const Back = ({ signedIn }: { signedIn: boolean }) => (
  <ButtonLink size="large" href={paths.home().url}>
    {signedIn ? 'Go to your accounts' : 'Go to the home page'}
  </ButtonLink>
)

function signOut(sessionId: string, token: string) {
  // It ends on the sign-in page, which knows nothing of the invitation.
  router.delete(paths.endSession(sessionId).url, { onSuccess: () => router.visit(paths.invitation(token).url) })
  router.flushAll()
}

Invitation.layout = AuthLayout
