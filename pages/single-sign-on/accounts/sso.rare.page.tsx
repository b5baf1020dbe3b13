import { Link } from '@inertiajs/react'
import { singleSignOnPaths } from '../../../features/single-sign-on/paths.ts'
import type { PageProps } from '../../../plugins/inertia/pages.ts'
import { AppLayout } from '../../layouts/app.tsx'
import { Heading } from '../../shared/heading.tsx'
import { rich, t } from '../../words/t.ts'
import { workspaceName } from '../../words/workspace.tsx'
import { Connection } from '../sso-connection.tsx'
import { Domains } from '../sso-domains.tsx'
import { SsoRequirement } from '../sso-requirement.tsx'

export default function SingleSignOn(props: PageProps<'accounts/sso'>) {
  return (
    <div className="settings-section account-settings">
      <Heading title={t('Single sign-on')}>
        {rich('People of your company get into {name} with the provider that they use at work.', {
          name: workspaceName(props.account),
        })}
      </Heading>
      <Next {...props} />
      <Domains {...props} />
      <Connection {...props} />
      <SsoRequirement {...props} />
    </div>
  )
}

/** The one thing to do next, in the order of the cards. */
function Next({ account, domains, connection, required }: PageProps<'accounts/sso'>) {
  const isProved = domains.some(({ verified_at }) => verified_at)
  const start = <Link href={singleSignOnPaths.singleSignOn(account.slug).url}>{t('Sign in with it yourself')}</Link>
  const step = !isProved
    ? t('First, prove a domain of your company.')
    : !connection
      ? t('Next, connect your provider.')
      : !connection.used_at
        ? rich('Next, try it. {link}', { link: start })
        : !required && t('It works. You can require it now, or leave it as one more way to sign in.')
  return step && <p role="status">{step}</p>
}

SingleSignOn.layout = AppLayout
