import { usePage } from '@inertiajs/react'
import { invitationLinkPaths } from '../../../features/invitation-link/paths.ts'
import { paths } from '../../../features/paths.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { Form, Submit } from '../../forms/form.tsx'
import { Entrances, InvitationHeading, ToHome, ToWorkspaces } from '../../invitations/heading.tsx'
import { AuthLayout } from '../../layouts/auth.tsx'
import { ResendVerification, useVerifiedElsewhere } from '../../shared/verification.tsx'
import { rich, t } from '../../words/t.ts'

type Props = PageProps<'invitations/join'>

export default function Join(props: Props) {
  const { account_name, account_picture, inviter_name } = props
  return (
    <>
      <InvitationHeading inviter={inviter_name} account={account_name} name={account_name} picture={account_picture}>
        <Lead {...props} />
      </InvitationHeading>
      <div className="answers">
        <Answers {...props} />
      </div>
    </>
  )
}

function Lead({ expired, signed_in_as, auth: { user } }: Props) {
  if (expired) return t('This link has expired. If you need a new one, ask the person who sent it.')
  if (signed_in_as === null) return t('Sign in to join, or sign up if you have no account yet.')
  const email = <strong dir="auto">{signed_in_as}</strong>
  return user?.verified
    ? rich('You are signed in as {email}.', { email })
    : rich('Before you can join, verify that {email} is yours: open the link that we sent there.', { email })
}

function Answers({ expired, signed_in_as, invitation_only, auth: { user } }: Props) {
  const { url } = usePage()
  const page = url.split('?')[0] ?? ''
  const token = decodeURIComponent(page.split('/')[2] ?? '')
  useVerifiedElsewhere(user?.verified ?? true)

  if (expired) return <ToHome />
  if (signed_in_as === null)
    return <Entrances signUp={!invitation_only && paths.signUpPage('', page)} signIn={paths.signInPage('', page)} />
  if (!user?.verified) {
    return (
      <>
        <ResendVerification>{t('Send it again')}</ResendVerification>
        <ToWorkspaces />
      </>
    )
  }
  return (
    <Form to={invitationLinkPaths.acceptLink(token)}>
      <Submit>{t('Join')}</Submit>
    </Form>
  )
}

Join.layout = AuthLayout
