import { Link, usePage } from '@inertiajs/react'
import { ArrowLeft } from 'lucide-react'
import type { AccountReference } from '../../features/accounts/props.ts'
import { paths } from '../../features/paths.ts'
import { usePendingPath } from '../visits/own-visits.ts'
import { rich, t } from '../words/t.ts'
import { workspaceName } from '../words/workspace.tsx'
import { useCurrentInView } from './current-in-view.ts'
import { settingsSections } from './settings-sections.ts'

/** The way back comes last: only the browser knows where it leads, and nothing moves when it appears. */
export function SettingsNavigation({ account }: { account: AccountReference | undefined }) {
  const here = usePage().url.split('?')[0]
  const pending = usePendingPath()
  const marked = settingsSections.some(({ path }) => path === pending) ? pending : here

  return (
    <nav className="tabs" aria-label={t('Settings')} ref={useCurrentInView(here)}>
      {settingsSections.map(({ name, path }) => (
        <Link key={path} href={path} prefetch aria-current={path === marked ? 'page' : undefined}>
          {t(name)}
        </Link>
      ))}
      {account && (
        <Link className="tabs-back" prefetch href={paths.account(account.slug).url}>
          <ArrowLeft aria-hidden="true" />
          <span>{rich('Back to {name}', { name: workspaceName(account) })}</span>
        </Link>
      )}
    </nav>
  )
}
