import { Link } from '@inertiajs/react'
import { ArrowLeft } from 'lucide-react'
import type { AccountReference } from '../../features/accounts/props.ts'
import { paths } from '../../features/paths.ts'
import { features } from '../features.ts'
import { useOn } from '../parts/on.ts'
import { rich, t } from '../words/t.ts'
import { workspaceName } from '../words/workspace.tsx'
import { settingsSections } from './settings-sections.ts'
import { Tabs } from './tabs.tsx'

/** The way back comes last: only the browser knows where it leads, and nothing moves when it appears. */
export const SettingsNavigation = ({ account }: { account: AccountReference | undefined }) => (
  <Tabs label={t('Settings')} tabs={settingsSections(useOn(features))}>
    {account && (
      <Link className="tabs-back" prefetch href={paths.account(account.slug).url}>
        <ArrowLeft />
        <span>{rich('Back to {name}', { name: workspaceName(account) })}</span>
      </Link>
    )}
  </Tabs>
)
