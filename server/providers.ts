import type { Environment, Name } from './settings.ts'

/** `url` is where the provider is, and the issuer of those that speak OpenID. */
export type ProviderConfig = {
  id: string
  name: string
  url: string
  clientId: string
  clientSecret: string
  tenant?: string
}

const prefixes = ['GOOGLE', 'GITHUB', 'GITLAB', 'MICROSOFT', 'OIDC'] as const

/** The providers that are configured, in the order of their buttons. */
export function providersOf(environment: Environment): ProviderConfig[] {
  const { GITHUB_URL = 'https://github.com', GITLAB_URL = 'https://gitlab.com' } = environment
  const { MICROSOFT_TENANT = 'common', OIDC_NAME = 'Single sign-on', OIDC_ISSUER = '' } = environment
  const tenant = MICROSOFT_TENANT.toLowerCase()
  const providers = {
    GOOGLE: { id: 'google', name: 'Google', url: 'https://accounts.google.com' },
    GITHUB: { id: 'github', name: 'GitHub', url: bare(GITHUB_URL) },
    GITLAB: { id: 'gitlab', name: 'GitLab', url: bare(GITLAB_URL) },
    MICROSOFT: { id: 'microsoft', name: 'Microsoft', url: `https://login.microsoftonline.com/${tenant}/v2.0`, tenant },
    OIDC: { id: 'oidc', name: OIDC_NAME, url: OIDC_ISSUER },
  }
  return prefixes.flatMap((prefix) => {
    const clientId = environment[`${prefix}_CLIENT_ID` as const]
    const clientSecret = environment[`${prefix}_CLIENT_SECRET` as const]
    return clientId && clientSecret ? [{ ...providers[prefix], clientId, clientSecret }] : []
  })
}

const bare = (url: string) => url.replace(/\/+$/, '')

/** What is missing of providers that are configured in part. */
export const incompleteIn = (environment: Environment) =>
  prefixes.flatMap((prefix) => {
    const names = (Object.keys(environment) as Name[]).filter((name) => name.startsWith(`${prefix}_`))
    const isBegun = names.some((name) => environment[name])
    return isBegun ? names.filter((name) => /_(CLIENT_ID|CLIENT_SECRET|ISSUER)$/.test(name) && !environment[name]) : []
  })
