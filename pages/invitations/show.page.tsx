import { router, usePage } from '@inertiajs/react'
import { type ReactNode, useEffect } from 'react'
import { type Path, paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { Form, Submit } from '../forms/form.tsx'
import { AuthLayout } from '../layouts/auth.tsx'
import { Ask } from '../popups/ask.tsx'
import { Avatar } from '../shared/avatar.tsx'
import { Button, ButtonLink } from '../shared/button.tsx'
import { Day } from '../shared/time.tsx'
import { Title } from '../shared/title.tsx'
import { roleMeanings } from '../words/roles.ts'

type Props = PageProps<'invitations/show'>
/** Where it is answered. Inside of the application it has no token. */
type Link = { token: string; accept: Path; decline: Path }
type Received = Props & { link: Link }

export default function Invitation(props: Props) {
  const inviter = props.inviter_name ?? 'Somebody'
  const link = linkIn(usePage().url)
  useDetails(props.details)

  return (
    <>
      <header className="heading">
        <Avatar name={props.account_name} picture={props.account_picture} />
        <Title text={`${inviter} invited you to ${props.account_name}`} />
        <h1 id="content" tabIndex={-1}>
          <bdi>{inviter}</bdi> invited you to <bdi>{props.account_name}</bdi>
        </h1>
        <p className="heading-lead">
          <Circumstances {...props} />
        </p>
      </header>
      {props.details && !props.expired && <Details {...props.details} />}
      <div className="answers">
        <Answers {...props} link={link} />
      </div>
    </>
  )
}

function linkIn(url: string): Link {
  const [, , token = '', id] = url.split(/[/?]/)
  return token === 'open'
    ? { token: '', accept: paths.acceptOpenInvitation(Number(id)), decline: paths.declineOpenInvitation(Number(id)) }
    : { token, accept: paths.acceptInvitation(token), decline: paths.declineInvitation(token) }
}

/** Loads the details after the page, and redirects people who have already accepted to the account. */
function useDetails(details: Props['details']) {
  const joined = details?.joined
  useEffect(() => {
    if (!details) router.reload({ only: ['details'], showProgress: false })
    else if (joined) router.visit(paths.account(joined).url, { replace: true })
  }, [details, joined])
}

const Details = ({ role, expires_at }: NonNullable<Props['details']>) => (
  <dl className="invitation-details">
    <div>
      <dt>Your role</dt>
      <dd>{roleMeanings[role]}</dd>
    </div>
    <div>
      <dt>Open until</dt>
      <dd>
        <Day at={expires_at} />
      </dd>
    </div>
  </dl>
)

function Circumstances({ email, signed_in_as, expired }: Props) {
  if (expired)
    return 'This invitation has expired, or was accepted already. If you need a new one, ask whoever sent it.'

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

function Answers({ account_name, email, signed_in_as, expired, auth, link }: Received): ReactNode {
  const { token } = link
  if (expired) return signed_in_as === null ? <SignInAgain token={token} /> : <Back />
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
      <>
        <Form to={link.accept}>
          <Submit>Accept invitation</Submit>
        </Form>
        <Ask
          trigger={<Button size="large">Decline</Button>}
          title={
            <>
              Decline the invitation to <bdi>{account_name}</bdi>?
            </>
          }
          explanation={<p>It is gone for both sides. To join later, you need a new invitation.</p>}
          action="Decline invitation"
          onConfirm={() => router.post(link.decline.url)}
        />
      </>
    )
  }
  return (
    <>
      <Button look="primary" size="large" onClick={() => auth.session && signOut(auth.session.id, token)}>
        Sign out
      </Button>
      <Back />
    </>
  )
}

// After signing in, people who have accepted are redirected to the account.
const SignInAgain = ({ token }: { token: string }) => (
  <>
    <ButtonLink look="primary" size="large" href={paths.signIn(token, paths.invitation(token).url).url}>
      Sign in, if you have accepted it
    </ButtonLink>
    <ButtonLink size="large" href={paths.home().url}>
      Go to the home page
    </ButtonLink>
  </>
)

const Back = () => (
  <ButtonLink size="large" href={paths.home().url}>
    Go to your workspaces
  </ButtonLink>
)

function signOut(sessionId: string, token: string) {
  // Sign-out redirects to the sign-in page, so go back to the invitation.
  router.delete(paths.endSession(sessionId).url, { onSuccess: () => router.visit(paths.invitation(token).url) })
  router.flushAll()
}

Invitation.layout = AuthLayout
