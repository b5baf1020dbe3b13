import type { JWTPayload } from 'jose'
import type { ProviderConfig } from '../../plugins/openid/client.ts'
import { InvalidResponse } from '../../plugins/openid/failures.ts'
import type { ProviderRules } from '../../plugins/openid/openid.ts'
import type { NamedProvider } from './words.ts'

type Environment = { [name: string]: string | undefined }

/** Sign-in with one provider. `settings` are those besides id and secret of the client, by their whole names. */
export type ProviderKind = {
  /** The beginning of its settings, such as GOOGLE for GOOGLE_CLIENT_ID. */
  prefix: string
  settings: { [name: string]: Setting }
  /** Those settings without which it is incomplete. */
  required?: string[]
  /** Where it is, as the settings say. A name only if it has none of its own. */
  configure(environment: Environment): Pick<ProviderConfig, 'url' | 'tenant'> & { name?: string }
  /** What its claims prove. Undefined for GitHub, which has another protocol (client.ts). */
  rules?: (config: ProviderConfig) => ProviderRules
}

/** `must` completes the line that operators read: GITLAB_URL must … */
type Setting = { must: string; pattern: string }

// Tokens and secrets are sent there, so anything but https must be this machine.
const url = '^(https://[^/?#@\\s]+|http://(localhost|127(\\.\\d{1,3}){3}|\\[::1\\])(:\\d{1,5})?)(/[^?#\\s]*)?$'

const urlSetting = (example: string): Setting => ({
  must: `be an address with https, such as ${example}, set together with a client id`,
  pattern: url,
})

const withoutSlash = (url: string) => url.replace(/\/+$/, '')

const isVerified = ({ email_verified }: JWTPayload) => email_verified === true

/** Of a provider that vouches for each address of which it says so. */
export const standardRules: ProviderRules = {
  isEmailVerified: isVerified,
  wanted: ['email', 'email_verified', 'name'],
  secretIn: 'header',
}

const google: ProviderKind = {
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
}

const github: ProviderKind = {
  prefix: 'GITHUB',
  settings: { GITHUB_URL: urlSetting('https://github.example.com') },
  configure: ({ GITHUB_URL = 'https://github.com' }) => ({ url: withoutSlash(GITHUB_URL) }),
}

const gitlab: ProviderKind = {
  prefix: 'GITLAB',
  settings: { GITLAB_URL: urlSetting('https://gitlab.example.com') },
  configure: ({ GITLAB_URL = 'https://gitlab.com' }) => ({ url: withoutSlash(GITLAB_URL) }),
  rules: () => ({ ...standardRules, secretIn: 'body' }),
}

const consumers = '9188040d-6c67-4c5b-b112-36a304b66dad'
const tenantId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

const microsoft: ProviderKind = {
  prefix: 'MICROSOFT',
  settings: {
    MICROSOFT_TENANT: {
      must: "be a tenant's id, organizations, consumers or common, set together with a client id",
      pattern: '^([0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|organizations|consumers|common)$',
    },
  },
  configure({ MICROSOFT_TENANT = 'common' }) {
    const tenant = MICROSOFT_TENANT.toLowerCase()
    return { url: `https://login.microsoftonline.com/${tenant}/v2.0`, tenant }
  },
  rules({ tenant = 'common' }) {
    const isOneTenant = tenantId.test(tenant)
    return {
      // The library accepts the issuer of any tenant, and all tenants have the same keys.
      requireTenant({ tid }) {
        const isAllowed =
          typeof tid === 'string' &&
          tenantId.test(tid) &&
          (isOneTenant ? tid === tenant : tenant === 'common' || (tenant === 'consumers') === (tid === consumers))
        if (!isAllowed) throw new InvalidResponse('claim_tid')
      },
      // Administrators of any tenant can write anything into `email`, so it counts only if the tenant is ours, or if
      // Microsoft says that the domain's owner was verified.
      isEmailVerified: ({ xms_edov }) => isOneTenant || xms_edov === true || xms_edov === 1 || xms_edov === '1',
      wanted: ['email', 'name'],
      secretIn: 'body',
    }
  },
}

/** One provider of the operator's own. */
const oidc: ProviderKind = {
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
}

/** By id, in the order of their buttons. */
export const kinds: Record<NamedProvider | 'oidc', ProviderKind> = { google, github, gitlab, microsoft, oidc }
