import { type ProviderKind, standardRules, urlSetting } from './kind.ts'

/** One provider of the operator's own. */
export const oidc = {
  prefix: 'OIDC',
  settings: {
    OIDC_ISSUER: urlSetting('https://login.example.com'),
    OIDC_NAME: {
      must: 'be a name of 1 to 60 characters, set together with OIDC_ISSUER',
      pattern: '^[^\\r\\n]{1,60}$',
    },
  },
  required: ['OIDC_ISSUER'],
  configure: ({ OIDC_NAME = 'Single sign-on', OIDC_ISSUER = '' }) => ({ name: OIDC_NAME, url: OIDC_ISSUER }),
  rules: () => standardRules,
} as const satisfies ProviderKind
