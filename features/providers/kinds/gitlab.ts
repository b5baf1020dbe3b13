import { type ProviderKind, standardRules, urlSetting, withoutSlash } from './kind.ts'

export const gitlab = {
  prefix: 'GITLAB',
  settings: { GITLAB_URL: urlSetting('https://gitlab.example.com') },
  configure: ({ GITLAB_URL = 'https://gitlab.com' }) => ({ url: withoutSlash(GITLAB_URL) }),
  rules: () => ({ ...standardRules, secretIn: 'body' }),
} as const satisfies ProviderKind
