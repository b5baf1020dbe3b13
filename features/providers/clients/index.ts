import type { JWTPayload } from 'jose'
import type { ProviderConfig } from '../../../server/providers.ts'
import type { Client, ClientOptions } from './client.ts'
import { gitHubClient } from './github.ts'
import { microsoftRules } from './microsoft.ts'
import { openIdClient, type ProviderRules } from './openid.ts'

const isVerified = ({ email_verified }: JWTPayload) => email_verified === true

const standard: ProviderRules = {
  isEmailVerified: isVerified,
  wanted: ['email', 'email_verified', 'name'],
  secretIn: 'header',
}

/** Besides its own domains, Google vouches only for those whose owners have their mail there (`hd`). */
const ofGoogle: ProviderRules = {
  ...standard,
  isEmailVerified: (claims) =>
    isVerified(claims) &&
    (/@(gmail|googlemail)\.com$/i.test(String(claims.email)) || (typeof claims.hd === 'string' && claims.hd !== '')),
  secretIn: 'body',
}

export function clientOf(provider: ProviderConfig, options: ClientOptions): Client {
  switch (provider.id) {
    case 'github':
      return gitHubClient(provider, options)
    case 'google':
      return openIdClient(provider, ofGoogle, options)
    case 'gitlab':
      return openIdClient(provider, { ...standard, secretIn: 'body' }, options)
    case 'microsoft':
      return openIdClient(provider, microsoftRules(provider.tenant ?? 'common'), options)
    default:
      return openIdClient(provider, standard, options)
  }
}
