import { Link } from '@inertiajs/react'
import { paths } from '../../../features/paths.ts'
import { singleSignOnPaths } from '../../../features/single-sign-on/paths.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { EmailField, typedAddress } from '../../forms/email-field.tsx'
import { Form, Submit } from '../../forms/form.tsx'
import { AuthLayout } from '../../layouts/auth.tsx'
import { Heading } from '../../shared/heading.tsx'
import { rich, t } from '../../words/t.ts'
import { domainMeant } from '../meant.ts'

export default function SingleSignOn({ invitation, return_to }: PageProps<'auth/sso'>) {
  return (
    <>
      <Heading title={t('Sign in with your company')}>
        {t("Your work address tells us which provider signs you in. You don't need a password here.")}
      </Heading>
      <Form
        to={singleSignOnPaths.findSingleSignOn()}
        data={{ ...(invitation && { invitation }), ...(return_to && { return_to }) }}
      >
        <EmailField autoComplete="username" autoFocus sentences={{ [t('has no single sign-on')]: noCompany }} />
        <Submit>{t('Continue')}</Submit>
      </Form>
      <p className="auth-other">
        <Link href={paths.signInPage(invitation, return_to).url}>{t('Sign in another way')}</Link>
      </p>
    </>
  )
}

const noCompany = () =>
  typedAddress.current
    ? rich('No company here uses {domain}.', { domain: <bdi dir="ltr">{domainMeant(typedAddress.current)}</bdi> })
    : t('No company here uses this address.')

SingleSignOn.layout = AuthLayout
