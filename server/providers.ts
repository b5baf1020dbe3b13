import { Type } from 'typebox'

const Text = Type.Optional(Type.String({ minLength: 1 }))
// Tokens and secrets go there, so anything but https has to stay on this machine.
const Url = Type.Optional(
  Type.String({
    pattern: '^(https://[^/?#@\\s]+|http://(localhost|127(\\.\\d{1,3}){3}|\\[::1\\])(:\\d{1,5})?)(/[^?#\\s]*)?$',
  }),
)
const tenantId = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

/** The variables of providers that people can sign in with. */
export const providerVariables = {
  GOOGLE_CLIENT_ID: Text,
  GOOGLE_CLIENT_SECRET: Text,
  GITHUB_CLIENT_ID: Text,
  GITHUB_CLIENT_SECRET: Text,
  GITHUB_URL: Url,
  GITLAB_CLIENT_ID: Text,
  GITLAB_CLIENT_SECRET: Text,
  GITLAB_URL: Url,
  MICROSOFT_CLIENT_ID: Text,
  MICROSOFT_CLIENT_SECRET: Text,
  MICROSOFT_TENANT: Type.Optional(Type.String({ pattern: `^(${tenantId}|organizations|consumers|common)$` })),
  OIDC_ISSUER: Url,
  OIDC_CLIENT_ID: Text,
  OIDC_CLIENT_SECRET: Text,
  OIDC_NAME: Type.Optional(Type.String({ minLength: 1, maxLength: 60, pattern: '^[^\\r\\n]+$' })),
}
type Name = keyof typeof providerVariables
type Given = Partial<Record<Name, string | undefined>>

const id = (provider: string) => `must be the client id that ${provider} gave, set together with its secret`
const secret = (provider: string) => `must be the client secret that ${provider} gave, set together with its id`
const address = (example: string) => `must be an address with https, such as ${example}, set together with a client id`

/** What each of them must be, in words for operators. */
export const providerRequirements: Record<Name, string> = {
  GOOGLE_CLIENT_ID: id('Google'),
  GOOGLE_CLIENT_SECRET: secret('Google'),
  GITHUB_CLIENT_ID: id('GitHub'),
  GITHUB_CLIENT_SECRET: secret('GitHub'),
  GITHUB_URL: address('https://github.example.com'),
  GITLAB_CLIENT_ID: id('GitLab'),
  GITLAB_CLIENT_SECRET: secret('GitLab'),
  GITLAB_URL: address('https://gitlab.example.com'),
  MICROSOFT_CLIENT_ID: id('Microsoft'),
  MICROSOFT_CLIENT_SECRET: secret('Microsoft'),
  MICROSOFT_TENANT: "must be a tenant's id, organizations, consumers or common, set together with a client id",
  OIDC_ISSUER: address('https://login.example.com'),
  OIDC_CLIENT_ID: id('the provider of OIDC_ISSUER'),
  OIDC_CLIENT_SECRET: secret('the provider of OIDC_ISSUER'),
  OIDC_NAME: 'must be a name of 1 to 60 characters, set together with OIDC_ISSUER',
}

const needed = {
  google: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  github: ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
  gitlab: ['GITLAB_CLIENT_ID', 'GITLAB_CLIENT_SECRET'],
  microsoft: ['MICROSOFT_CLIENT_ID', 'MICROSOFT_CLIENT_SECRET'],
  oidc: ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
} as const satisfies Record<string, Name[]>

const isBegun = (provider: string, given: Given) =>
  (Object.keys(providerVariables) as Name[]).some(
    (name) => name.startsWith(`${provider.toUpperCase()}_`) && given[name],
  )

/** What is missing of providers that are configured in part. */
export const incompleteIn = (given: Given) =>
  Object.entries(needed).flatMap(([provider, names]) =>
    isBegun(provider, given) ? names.filter((name) => !given[name]) : [],
  )

/** `url` is where the provider is, and the issuer of those that speak OpenID. */
export type ProviderConfig = {
  id: string
  name: string
  url: string
  clientId: string
  clientSecret: string
  tenant?: string
}

/** The providers that are configured, in the order of their buttons. */
export function providersOf(given: Given): ProviderConfig[] {
  const tenant = given.MICROSOFT_TENANT?.toLowerCase() ?? 'common'
  const of = (id: string, name: string, url: string, clientId = '', clientSecret = '') =>
    clientId ? [{ id, name, url, clientId, clientSecret }] : []
  return [
    ...of('google', 'Google', 'https://accounts.google.com', given.GOOGLE_CLIENT_ID, given.GOOGLE_CLIENT_SECRET),
    ...of(
      'github',
      'GitHub',
      bare(given.GITHUB_URL ?? 'https://github.com'),
      given.GITHUB_CLIENT_ID,
      given.GITHUB_CLIENT_SECRET,
    ),
    ...of(
      'gitlab',
      'GitLab',
      bare(given.GITLAB_URL ?? 'https://gitlab.com'),
      given.GITLAB_CLIENT_ID,
      given.GITLAB_CLIENT_SECRET,
    ),
    ...of(
      'microsoft',
      'Microsoft',
      `https://login.microsoftonline.com/${tenant}/v2.0`,
      given.MICROSOFT_CLIENT_ID,
      given.MICROSOFT_CLIENT_SECRET,
    ).map((provider) => ({ ...provider, tenant })),
    ...of(
      'oidc',
      given.OIDC_NAME ?? 'Single sign-on',
      given.OIDC_ISSUER ?? '',
      given.OIDC_CLIENT_ID,
      given.OIDC_CLIENT_SECRET,
    ),
  ]
}

const bare = (url: string) => url.replace(/\/+$/, '')
