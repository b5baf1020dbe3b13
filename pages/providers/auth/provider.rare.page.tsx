import { Link } from '@inertiajs/react'
import { paths } from '../../../features/paths.ts'
import { providersPaths } from '../../../features/providers/paths.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { EmailField, typedAddress } from '../../forms/email-field.tsx'
import { NameField } from '../../forms/field.tsx'
import { Form, Submit } from '../../forms/form.tsx'
import { AuthLayout } from '../../layouts/auth.tsx'
import { Agreement } from '../../layouts/footer.tsx'
import { ButtonLink } from '../../shared/button.tsx'
import { Heading } from '../../shared/heading.tsx'
import { rich, t } from '../../words/t.ts'
import { invitedName, Joining } from '../../words/workspace.tsx'

export default function Provider(props: PageProps<'auth/provider'>) {
  return props.taken ? <Taken {...props} /> : <NewUser {...props} />
}

function NewUser({ provider, email, name, proved, invitation }: PageProps<'auth/provider'>) {
  const joins = proved && email === invitation?.email
  return (
    <>
      <Heading title={t('Almost there')}>
        {invitation ? <Joining {...invitation} /> : t("You'll get your own account right away.")}
      </Heading>
      <Form to={providersPaths.createProviderUser(provider.id)} validatesAhead>
        <NameField autoComplete="name" defaultValue={name ?? undefined} autoFocus />
        <EmailField
          autoComplete="username"
          defaultValue={email ?? undefined}
          readOnly={proved}
          hint={
            proved
              ? rich("{name} has verified this address, so you don't have to.", { name: provider.name })
              : rich("{name} hasn't verified this address, so we'll email you a link.", { name: provider.name })
          }
          remedies={{ [t('has already been taken')]: <Link href={paths.signInPage().url}>{t('Sign in?')}</Link> }}
        />
        <Submit>
          {invitation && joins
            ? t('Join {account_name}', { account_name: invitedName(invitation) })
            : t('Create your account')}
        </Submit>
        <Agreement />
      </Form>
      <p className="auth-other">
        {rich('Already have an account? {link} and connect {name} in your settings.', {
          link: <Link href={signInHere}>{t('Sign in')}</Link>,
          name: provider.name,
        })}
      </p>
    </>
  )
}

function Taken({ provider, email, invitation }: PageProps<'auth/provider'>) {
  return (
    <>
      <Heading title={t('You already have an account')}>
        {rich('Someone already signed up with {email}, but not with {name}.', { email, name: provider.name })}
      </Heading>
      <p className="provider-taken">
        {rich(
          `If that was you, sign in the way you did then. Then connect {name} on the security page of your settings,
            and you can sign in with it from then on.`,
          { name: provider.name },
        )}
      </p>
      <ButtonLink
        look="primary"
        href={invitation ? paths.signInPage(invitation.token).url : signInHere}
        onClick={() => {
          typedAddress.current = email ?? undefined
        }}
      >
        {t('Sign in')}
      </ButtonLink>
    </>
  )
}

const signInHere = paths.signInPage('', paths.security().url).url

Provider.layout = AuthLayout
