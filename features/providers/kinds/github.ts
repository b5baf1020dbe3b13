import { type ProviderKind, urlSetting, withoutSlash } from './kind.ts'

/** Its protocol is in clients/github.ts. */
export const github = {
  prefix: 'GITHUB',
  settings: { GITHUB_URL: urlSetting('https://github.example.com') },
  configure: ({ GITHUB_URL = 'https://github.com' }) => ({ url: withoutSlash(GITHUB_URL) }),
} as const satisfies ProviderKind
