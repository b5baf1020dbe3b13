import { singleSignOnPaths } from '../../../features/single-sign-on/paths.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { AddressFirst } from '../../auth/address-first.tsx'
import { typedAddress } from '../../forms/email-field.tsx'
import { AuthLayout } from '../../layouts/auth.tsx'
import { rich, t } from '../../words/t.ts'
import { domainMeant } from '../meant.ts'

export default function SingleSignOn({ invitation, return_to }: PageProps<'auth/sso'>) {
  return (
    <AddressFirst
      title={t('Sign in with your company')}
      lead={t("Your work address tells us which provider signs you in. You don't need a password here.")}
      to={singleSignOnPaths.findSingleSignOn()}
      context={{ invitation, return_to }}
      sentences={{ [t('has no single sign-on')]: noCompany }}
    />
  )
}

const noCompany = () =>
  typedAddress.current
    ? rich('No company here uses {domain}.', { domain: <bdi dir="ltr">{domainMeant(typedAddress.current)}</bdi> })
    : t('No company here uses this address.')

SingleSignOn.layout = AuthLayout
