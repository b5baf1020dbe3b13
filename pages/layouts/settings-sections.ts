import { paths } from '../../features/paths.ts'
import { text } from '../../plugins/languages/text.ts'
import { features } from '../features.ts'

export const settingsSections = [
  { name: text('Profile'), path: paths.profile().url },
  { name: text('Email'), path: paths.email().url },
  { name: text('Password'), path: paths.password().url },
  { name: text('Security'), path: paths.security().url },
  { name: text('Tokens'), path: paths.tokens().url },
  { name: text('Sessions'), path: paths.sessions().url },
  { name: text('Activity'), path: paths.activity().url },
  { name: text('Appearance'), path: paths.appearance().url },
  ...features.flatMap(({ settingsTab: tab }) => (tab ? [{ name: tab.name, path: tab.path.url }] : [])),
]
