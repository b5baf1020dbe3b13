import { paths } from '../../features/paths.ts'
import type { Feature } from '../feature.ts'
import { t } from '../words/t.ts'
import type { Tab } from './tabs.tsx'

export const settingsSections = (on: Feature[]): Tab[] => [
  { name: t('Profile'), path: paths.profile().url },
  { name: t('Email'), path: paths.email().url },
  { name: t('Password'), path: paths.password().url },
  { name: t('Security'), path: paths.security().url },
  { name: t('Sessions'), path: paths.sessions().url },
  { name: t('Activity'), path: paths.activity().url },
  { name: t('Appearance'), path: paths.appearance().url },
  ...on.flatMap(({ settingsTab: tab }) => (tab ? [{ name: t(tab.name), path: tab.path.url }] : [])),
]
