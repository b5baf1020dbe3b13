import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { AppLayout } from '../../layouts/app.tsx'
import { Heading } from '../../shared/heading.tsx'
import { rich, t } from '../../words/t.ts'
import { workspaceName } from '../../words/workspace.tsx'
import { Connection, Failure } from '../sso-connection.tsx'
import { Domains, isVerified } from '../sso-domains.tsx'
import { SsoRequirement } from '../sso-requirement.tsx'

export default function SingleSignOn(props: PageProps<'accounts/sso'>) {
  const isProved = props.domains.some(isVerified)
  return (
    <div className="settings-section account-settings">
      <Heading title={t('Single sign-on')}>
        {rich('People of your company get into {name} with the provider that they use at work.', {
          name: workspaceName(props.account),
        })}
      </Heading>
      <Failure {...props} />
      <Domains {...props} />
      <Connection {...props} isNext={isProved} />
      <SsoRequirement {...props} isNext={isProved && props.connection !== null} />
    </div>
  )
}

SingleSignOn.layout = AppLayout
