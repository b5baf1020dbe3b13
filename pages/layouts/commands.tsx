import { router } from '@inertiajs/react'
import { ArrowRight, Globe, LogOut, Plus, Settings } from 'lucide-react'
import { type ReactNode, use } from 'react'
import type { AccountReference } from '../../features/accounts/props.ts'
import { paths } from '../../features/paths.ts'
import { features } from '../features.ts'
import { useTheme } from '../hooks/theme.ts'
import { useOn } from '../parts/on.ts'
import { Avatar } from '../shared/avatar.tsx'
import { SiteContext } from '../shared/site.ts'
import { themes } from '../shared/themes.ts'
import { byName } from '../words/locale.ts'
import { speech, t } from '../words/t.ts'
import { workspaceName } from '../words/workspace.tsx'
import { settingsSections } from './settings-sections.ts'
import type { Tab } from './tabs.tsx'
import { signOut } from './user-menu.tsx'

export type Command = { id: string; name: string; hint?: string; icon: ReactNode; run(): void }
type Group = { label: string; commands: Command[] }

/** Where the palette was opened. `rooms` are the pages of the account. */
export type Place = {
  account: AccountReference | undefined
  accounts: AccountReference[] | undefined
  rooms: Tab[]
  sessionId: string
}

/** What the palette offers, by group. */
export function useCommands({ account, accounts = [], rooms, sessionId }: Place): Group[] {
  const { languages } = use(SiteContext)
  const [theme, chooseTheme] = useTheme()
  const workspaces = accounts.filter(({ slug }) => slug !== account?.slug).sort(byName)

  const lead = (id: string, name: string, path: string, icon: ReactNode): Command => ({
    id,
    name,
    icon,
    run: () => router.visit(path),
  })
  return [
    {
      label: account ? workspaceName(account) : '',
      commands: rooms.map(({ name, path }) => lead(path, name, path, <ArrowRight />)),
    },
    {
      label: t('Workspaces'),
      commands: workspaces.map(toWorkspace),
    },
    {
      label: t('Settings'),
      commands: settingsSections(useOn(features)).map(({ name, path }) => lead(path, name, path, <Settings />)),
    },
    {
      label: t('Actions'),
      commands: [
        lead('new', t('New workspace'), paths.newAccount().url, <Plus />),
        ...themes
          .filter(({ value }) => value !== theme)
          .map(({ value, name, icon: Icon }) => ({
            id: value,
            name: t(name),
            icon: <Icon />,
            hint: t('Theme'),
            run: () => chooseTheme(value),
          })),
        ...Object.entries(languages)
          .filter(([tag]) => tag !== speech().tag)
          .map(([tag, name]) => ({
            id: `language-${tag}`,
            name,
            hint: t('Language'),
            icon: <Globe />,
            run: () => router.visit(paths.chooseLanguage().url, { method: 'post', data: { language: tag } }),
          })),
        { id: 'out', name: t('Sign out'), icon: <LogOut />, run: () => signOut(sessionId) },
      ],
    },
  ]
}

const toWorkspace = (workspace: AccountReference): Command => ({
  id: workspace.slug,
  name: workspaceName(workspace),
  hint: `/${workspace.slug}`,
  icon: <Avatar of={workspace.name} name={workspace.name} picture={workspace.picture} />,
  run: () => router.visit(paths.account(workspace.slug).url),
})
