import { setupPaths } from '../../../features/single-sign-on/setup/paths.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { AuthLayout } from '../../layouts/auth.tsx'
import { Heading } from '../../shared/heading.tsx'
import { Day } from '../../shared/time.tsx'
import { rich, t } from '../../words/t.ts'
import { ProviderForm } from '../provider-form.tsx'
import { Domains, isVerified } from '../sso-domains.tsx'
import { Step } from '../step.tsx'

export default function Setup(props: PageProps<'accounts/sso-setup'>) {
  const { token, account_name: name, domains, connection, callback_url, expires_at } = props
  return (
    <div className="settings-section">
      <Heading title={t('Set up single sign-on')}>
        {rich(
          'An owner of {name} asks you to show that the domain is theirs and to connect the provider, until {day}.',
          {
            name,
            day: <Day at={expires_at} />,
          },
        )}
      </Heading>
      <Domains
        domains={domains}
        to={{
          add: setupPaths.addDomainBySetup(token),
          look: setupPaths.lookBySetup(token),
          verify: (id) => setupPaths.verifyBySetup(token, id),
        }}
      />
      <Step
        number={2}
        title={t('Step 2 of 3: connect your provider')}
        state={connection ? 'done' : domains.some(isVerified) ? 'now' : 'later'}
        summary={connection && <bdi dir="ltr">{connection.issuer}</bdi>}
      >
        <ProviderForm to={setupPaths.saveBySetup(token)} connection={connection} redirectTo={callback_url} />
      </Step>
      <p className="auth-other">{t('Step 3 is up to the owner.')}</p>
    </div>
  )
}

Setup.layout = AuthLayout
