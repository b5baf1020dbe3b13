import { Link, usePage } from '@inertiajs/react'
import { ArrowLeft } from 'lucide-react'
import type { AccountReference } from '../../features/accounts/props.ts'
import { paths } from '../../features/paths.ts'
import { text } from '../../plugins/languages/text.ts'
import { rich, t } from '../words/t.ts'
import { workspaceName } from '../words/workspace.tsx'
import { useCurrentInView } from './current-in-view.ts'

const sections = [
  { name: text('Profile'), path: paths.profile().url },
  { name: text('Email'), path: paths.email().url },
  { name: text('Password'), path: paths.password().url },
  { name: text('Security'), path: paths.security().url },
  { name: text('Tokens'), path: paths.tokens().url },
  { name: text('Sessions'), path: paths.sessions().url },
  { name: text('Activity'), path: paths.activity().url },
  { name: text('Appearance'), path: paths.appearance().url },
]

/** The way back comes last: only the browser knows where it leads, and nothing moves when it appears. */
export function SettingsNavigation({ account }: { account: AccountReference | undefined }) {
  const here = usePage().url.split('?')[0]

  return (
    <nav className="tabs" aria-label={t('Settings')} ref={useCurrentInView(here)}>
      {sections.map(({ name, path }) => (
        <Link key={path} href={path} aria-current={path === here ? 'page' : undefined}>
          {t(name)}
        </Link>
      ))}
      {account && (
        <Link className="tabs-back" href={paths.account(account.slug).url}>
          <ArrowLeft aria-hidden="true" />
          <span>{rich('Back to {name}', { name: workspaceName(account) })}</span>
        </Link>
      )}
    </nav>
  )
}
