import { isVerified, type ProviderKind, standardRules } from './kind.ts'

export const google = {
  prefix: 'GOOGLE',
  settings: {},
  configure: () => ({ url: 'https://accounts.google.com' }),
  rules: () => ({
    ...standardRules,
    // Besides its own domains, Google vouches only for domains whose mail it hosts (`hd`).
    isEmailVerified: (claims) =>
      isVerified(claims) &&
      (/@(gmail|googlemail)\.com$/i.test(String(claims.email)) || (typeof claims.hd === 'string' && claims.hd !== '')),
    secretIn: 'body',
  }),
} as const satisfies ProviderKind
