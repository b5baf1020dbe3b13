import { Link } from '@inertiajs/react'
import { useRef, useState } from 'react'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { EmailField } from '../forms/email-field.tsx'
import { NameField } from '../forms/field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { NewPasswordField, withConfirmation } from '../forms/password-field.tsx'
import { AuthLayout } from '../layouts/auth.tsx'
import { Agreement } from '../layouts/footer.tsx'
import { Heading } from '../shared/heading.tsx'
import { rich, t } from '../words/t.ts'
import { invitedName, Joining } from '../words/workspace.tsx'
import { Or, useWays, WaysInSight } from './ways.tsx'

export default function SignUp(props: PageProps<'auth/sign-up'>) {
  const { invitation, invitation_only, return_to } = props
  const signIn = paths.signInPage(invitation?.token, return_to).url
  const [isOther, setOther] = useState(false)
  const ways = useWays(props).filter(({ signsUp }) => signsUp)

  return (
    <>
      <Heading title={t('Sign up')}>
        {invitation ? <Joining {...invitation} /> : t("You'll get your own workspace right away.")}
      </Heading>
      <Form to={paths.signUp(invitation?.token, return_to)} data={withConfirmation} validatesAhead>
        {ways.length > 0 && (
          <>
            <WaysInSight of={ways} invitation={invitation?.token} returnTo={return_to} verb="Sign up" />
            <Or />
          </>
        )}
        <NameField autoComplete="name" autoFocus />
        {invitation ? (
          <InvitedEmailField
            email={invitation.email}
            accountName={invitedName(invitation)}
            isOnlyWay={invitation_only === true}
            isOther={isOther}
            onOther={() => setOther(true)}
          />
        ) : (
          <EmailField
            autoComplete="username"
            remedies={{ [t('has already been taken')]: <Link href={signIn}>{t('Sign in?')}</Link> }}
          />
        )}
        <NewPasswordField />
        <Submit>
          {invitation && !isOther ? t('Join {account_name}', { account_name: invitedName(invitation) }) : t('Sign up')}
        </Submit>
        <Agreement />
      </Form>
      <p className="auth-other">
        {rich('Already have an account? {link}', { link: <Link href={signIn}>{t('Sign in')}</Link> })}
      </p>
    </>
  )
}

/**
 * `isOnlyWay`: sign-up is by invitation only, so no other address is accepted.
 */
type Props = { email: string; accountName: string; isOnlyWay: boolean; isOther: boolean; onOther(): void }

/** The invited address. Choosing another one is an explicit step, since the invitation then has to wait. */
function InvitedEmailField({ email, accountName, isOnlyWay, isOther, onOther }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const chooseOther = () => {
    onOther()
    field.current?.select()
  }

  return (
    <EmailField
      ref={field}
      autoComplete="username"
      defaultValue={email}
      readOnly={!isOther}
      hint={
        isOther
          ? rich("With another address, you won't join {account}. The invitation is for {email}.", {
              account: accountName,
              email,
            })
          : rich("This address was invited, so you don't have to verify it. {button}", {
              button: !isOnlyWay && (
                <button type="button" className="link" onClick={chooseOther}>
                  {t('Use another address')}
                </button>
              ),
            })
      }
    />
  )
}

SignUp.layout = AuthLayout
