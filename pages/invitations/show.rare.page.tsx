import { router, usePage } from '@inertiajs/react'
import { type ReactNode, Suspense, useEffect } from 'react'
import { type Path, paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { type Text, text } from '../../plugins/languages/text.ts'
import { Form, Submit } from '../forms/form.tsx'
import { useHydrated } from '../hooks/store.ts'
import { AuthLayout } from '../layouts/auth.tsx'
import { Button, ButtonLink } from '../shared/button.tsx'
import { part } from '../shared/part.ts'
import { Day } from '../shared/time.tsx'
import { rich, t } from '../words/t.ts'
import { invitedName, type Role, roleIn } from '../words/workspace.tsx'
import { Entrances, InvitationHeading, ToHome, ToWorkspaces } from './heading.tsx'

// Guests have no use for dialogs, nor the code for them.
const Ask = part(async () => (await import('../popups/dialog.tsx')).Ask)

type Props = PageProps<'invitations/show'>
type Link = { token: string; accept: Path; decline: Path }
type Received = Props & { link: Link }

export default function Invitation(props: Props) {
  const inviter = props.inviter_name ?? t('Someone')
  const link = linkIn(usePage().url)
  useDetails(props.details)

  return (
    <>
      <InvitationHeading
        inviter={inviter}
        account={invitedName(props)}
        name={props.account_name}
        picture={props.account_picture}
      >
        <Recipient {...props} />
      </InvitationHeading>
      {!props.expired && <Details {...props.details} />}
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

function useDetails(details: Props['details']) {
  const joined = details?.joined
  useEffect(() => {
    if (!details) router.reload({ only: ['details'], showProgress: false })
    else if (joined) router.visit(paths.account(joined).url, { replace: true })
  }, [details, joined])
}

const roleMeanings: Record<Role, Text> = {
  owner: text('Owner: you have full control of the workspace.'),
  admin: text('Admin: you manage the workspace and its members.'),
  member: text('Member: you can see the workspace and its members.'),
}

/** They come later, and have their place from the start. */
const Details = ({ role, expires_at, needs = [] }: Partial<NonNullable<Props['details']>>) => (
  <dl className="invitation-details" aria-busy={!role}>
    <div>
      <dt>{t('Your role')}</dt>
      <dd>{roleIn(role ?? 'member', roleMeanings)}</dd>
    </div>
    <div>
      <dt>{t('Valid until')}</dt>
      <dd>{expires_at && <Day at={expires_at} />}</dd>
    </div>
    {needs.map((need) => (
      <div key={need}>
        <dt>{t('You need')}</dt>
        <dd>{need}</dd>
      </div>
    ))}
  </dl>
)

function Recipient({ email, signed_in_as, expired }: Props) {
  if (expired)
    return t('This invitation has expired, or was already accepted. If you need a new one, ask the person who sent it.')

  const invited = <strong dir="auto">{email}</strong>
  if (signed_in_as === null)
    return rich("It's for {invited}. Sign up with this address, or sign in if you already have an account.", {
      invited,
    })
  if (signed_in_as === email) return rich('You are signed in as {invited}.', { invited })
  return rich(
    `It's for {invited}, but you're signed in as {signed_in_as}. To accept it, sign out and come back with the
      other address.`,
    { invited, signed_in_as: <strong dir="auto">{signed_in_as}</strong> },
  )
}

function Answers({ email, signed_in_as, expired, auth, link, ...place }: Received): ReactNode {
  const { token } = link
  if (expired) return signed_in_as === null ? <SignInAgain token={token} /> : <ToWorkspaces />
  if (signed_in_as === null) return <Entrances signUp={paths.signUpPage(token)} signIn={paths.signInPage(token)} />
  if (signed_in_as === email) {
    return (
      <>
        <Form to={link.accept}>
          <Submit>{t('Accept invitation')}</Submit>
        </Form>
        <Decline accountName={invitedName(place)} to={link.decline} />
      </>
    )
  }
  return (
    <>
      <Button look="primary" onClick={() => auth.session && signOut(auth.session.id, token)}>
        {t('Sign out')}
      </Button>
      <ToWorkspaces />
    </>
  )
}

function Decline({ accountName, to }: { accountName: string; to: Path }) {
  const button = <Button>{t('Decline')}</Button>
  if (!useHydrated()) return button // the server would have to wait for the dialog
  return (
    <Suspense fallback={button}>
      <Ask
        trigger={button}
        title={rich('Decline the invitation to {account}?', { account: accountName })}
        explanation={t("The invitation will be deleted. To join later, you'll need a new one.")}
        action={t('Decline invitation')}
        onConfirm={() => router.post(to.url)}
      />
    </Suspense>
  )
}

// After signing in, people who have accepted are redirected to the account.
const SignInAgain = ({ token }: { token: string }) => (
  <>
    <ButtonLink look="primary" href={paths.signInPage(token, paths.invitation(token).url).url}>
      {t('Sign in if you already accepted it')}
    </ButtonLink>
    <ToHome />
  </>
)

function signOut(sessionId: string, token: string) {
  // Sign-out redirects to the sign-in page, so go back to the invitation.
  router.delete(paths.endSession(sessionId).url, { onSuccess: () => router.visit(paths.invitation(token).url) })
  router.flushAll()
}

Invitation.layout = AuthLayout
