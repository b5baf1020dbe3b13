import { Link } from '@inertiajs/react'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { EmailField } from '../forms/email-field.tsx'
import { Field } from '../forms/field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { NewPasswordFields } from '../forms/new-password-fields.tsx'
import { AuthLayout } from '../layouts/auth.tsx'
import { Agreement } from '../layouts/footer.tsx'
import { Heading } from '../shared/heading.tsx'
import { rich, t } from '../words/t.ts'
import { invitedName, Joining } from '../words/workspace.tsx'
import { InvitedEmailField } from './invited-email-field.tsx'
import { Providers } from './providers.tsx'

export default function SignUp({ invitation, invitation_only, providers, return_to }: PageProps<'auth/sign-up'>) {
  const signIn = paths.signIn(invitation?.token, return_to).url

  return (
    <>
      <Heading title={t('Sign up')}>
        {invitation ? <Joining {...invitation} /> : t("You'll get your own workspace right away.")}
      </Heading>
      <Providers providers={providers} verb="Sign up" invitation={invitation?.token} returnTo={return_to} />
      <Form to={paths.createUser(invitation?.token, return_to)} validatesAhead>
        <Field name="name" label={t('Name')} autoComplete="name" required autoFocus />
        {invitation ? (
          <InvitedEmailField
            email={invitation.email}
            accountName={invitedName(invitation)}
            isOnlyWay={invitation_only === true}
          />
        ) : (
          <EmailField
            autoComplete="username"
            remedies={{ [t('has already been taken')]: <Link href={signIn}>{t('Sign in?')}</Link> }}
          />
        )}
        <NewPasswordFields />
        <Submit>{t('Sign up')}</Submit>
        <Agreement />
      </Form>
      <p className="auth-other">
        {rich('Already have an account? {link}', { link: <Link href={signIn}>{t('Sign in')}</Link> })}
      </p>
    </>
  )
}

SignUp.layout = AuthLayout
