import type { JWTPayload } from 'jose'
import type { ProviderConfig, ProviderRules } from '../../../plugins/openid/rules.ts'

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
  /** What its claims prove. Undefined for GitHub, which has another protocol. */
  rules?: (config: ProviderConfig) => ProviderRules
}

/** `must` completes the line that operators read: GITLAB_URL must … */
type Setting = { must: string; pattern: string }

// Tokens and secrets are sent there, so anything but https must be this machine.
const url = '^(https://[^/?#@\\s]+|http://(localhost|127(\\.\\d{1,3}){3}|\\[::1\\])(:\\d{1,5})?)(/[^?#\\s]*)?$'

export const urlSetting = (example: string): Setting => ({
  must: `be an address with https, such as ${example}, set together with a client id`,
  pattern: url,
})

export const withoutSlash = (url: string) => url.replace(/\/+$/, '')

export const isVerified = ({ email_verified }: JWTPayload) => email_verified === true

/** Of a provider that vouches for each address of which it says so. */
export const standardRules: ProviderRules = {
  isEmailVerified: isVerified,
  wanted: ['email', 'email_verified', 'name'],
  secretIn: 'header',
}
