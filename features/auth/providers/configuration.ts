import type { TSchema } from 'typebox'

/** `url` is where the provider is, and the issuer of those that speak OpenID. */
export type ProviderConfig = {
  id: string
  name: string
  url: string
  clientId: string
  clientSecret: string
  tenant?: string
}

// Tokens and secrets are sent there, so anything but https must be this machine.
const url = '^(https://[^/?#@\\s]+|http://(localhost|127(\\.\\d{1,3}){3}|\\[::1\\])(:\\d{1,5})?)(/[^?#\\s]*)?$'

type Kinds<Text extends TSchema> = {
  setting(must: string, pattern?: string): Text
  secret(must: string, pattern?: string): Text
}

export function providerSettings<Text extends TSchema>({ setting, secret }: Kinds<Text>) {
  const at = (example: string) =>
    setting(`be an address with https, such as ${example}, set together with a client id`, url)
  const id = (provider: string) => setting(`be the client id that ${provider} gave, set together with its secret`)
  const key = (provider: string) => secret(`be the client secret that ${provider} gave, set together with its id`)
  return {
    GOOGLE_CLIENT_ID: id('Google'),
    GOOGLE_CLIENT_SECRET: key('Google'),
    GITHUB_CLIENT_ID: id('GitHub'),
    GITHUB_CLIENT_SECRET: key('GitHub'),
    GITHUB_URL: at('https://github.example.com'),
    GITLAB_CLIENT_ID: id('GitLab'),
    GITLAB_CLIENT_SECRET: key('GitLab'),
    GITLAB_URL: at('https://gitlab.example.com'),
    MICROSOFT_CLIENT_ID: id('Microsoft'),
    MICROSOFT_CLIENT_SECRET: key('Microsoft'),
    MICROSOFT_TENANT: setting(
      "be a tenant's id, organizations, consumers or common, set together with a client id",
      '^([0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|organizations|consumers|common)$',
    ),
    OIDC_ISSUER: at('https://login.example.com'),
    OIDC_CLIENT_ID: id('the provider of OIDC_ISSUER'),
    OIDC_CLIENT_SECRET: key('the provider of OIDC_ISSUER'),
    OIDC_NAME: setting('be a name of 1 to 60 characters, set together with OIDC_ISSUER', '^[^\\r\\n]{1,60}$'),
  }
}

type Name = keyof ReturnType<typeof providerSettings>
type Variables = { [N in Name]?: string | undefined }

const prefixes = ['GOOGLE', 'GITHUB', 'GITLAB', 'MICROSOFT', 'OIDC'] as const

export function providersOf(environment: Variables): ProviderConfig[] {
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
    const clientId = environment[`${prefix}_CLIENT_ID`]
    const clientSecret = environment[`${prefix}_CLIENT_SECRET`]
    return clientId && clientSecret ? [{ ...providers[prefix], clientId, clientSecret }] : []
  })
}

const bare = (url: string) => url.replace(/\/+$/, '')

export const incompleteIn = (environment: Variables) =>
  prefixes.flatMap((prefix): Name[] => {
    const needed: Name[] = [`${prefix}_CLIENT_ID`, `${prefix}_CLIENT_SECRET`]
    if (prefix === 'OIDC') needed.push('OIDC_ISSUER')
    const isBegun = Object.entries(environment).some(([name, value]) => name.startsWith(`${prefix}_`) && value)
    return isBegun ? needed.filter((name) => !environment[name]) : []
  })
