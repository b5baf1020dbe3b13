import { singleSignOnPaths } from '../../../features/single-sign-on/paths.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { AppLayout } from '../../layouts/app.tsx'
import { Heading } from '../../shared/heading.tsx'
import { rich, t } from '../../words/t.ts'
import { workspaceName } from '../../words/workspace.tsx'
import { SetupLink } from '../setup-link.tsx'
import { Connection, Failure } from '../sso-connection.tsx'
import { Domains, isVerified } from '../sso-domains.tsx'
import { SsoRequirement } from '../sso-requirement.tsx'

export default function SingleSignOn(props: PageProps<'accounts/sso'>) {
  const { slug } = props.account
  const isProved = props.domains.some(isVerified)
  return (
    <div className="settings-section account-settings">
      <Heading title={t('Single sign-on')}>
        {rich('People of your company get into {name} with the provider that they use at work.', {
          name: workspaceName(props.account),
        })}
      </Heading>
      <Failure {...props} />
      <Domains
        {...props}
        to={{
          add: singleSignOnPaths.addDomain(slug),
          look: singleSignOnPaths.lookAtDomains(slug),
          verify: (id) => singleSignOnPaths.verifyDomain(slug, id),
          remove: (id) => singleSignOnPaths.removeDomain(slug, id),
        }}
      />
      <Connection {...props} isNext={isProved} />
      <SsoRequirement {...props} isNext={isProved && props.connection !== null} />
      <SetupLink {...props} />
    </div>
  )
}

SingleSignOn.layout = AppLayout
