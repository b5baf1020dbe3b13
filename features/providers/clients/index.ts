import type { JWTPayload } from 'jose'
import type { ProviderConfig } from '../../../server/providers.ts'
import type { Client, Surroundings } from './client.ts'
import { gitHubClient } from './github.ts'
import { microsoftDialect } from './microsoft.ts'
import { type Dialect, openIdClient } from './openid.ts'

const isVerified = ({ email_verified }: JWTPayload) => email_verified === true

const standard: Dialect = {
  vouches: isVerified,
  wanted: ['email', 'email_verified', 'name'],
  secretIn: 'header',
}

/** Besides its own domains, Google vouches only for those whose owners have their mail there (`hd`). */
const ofGoogle: Dialect = {
  ...standard,
  vouches: (claims) =>
    isVerified(claims) &&
    (/@(gmail|googlemail)\.com$/i.test(String(claims.email)) || (typeof claims.hd === 'string' && claims.hd !== '')),
  secretIn: 'body',
}

export function clientOf(provider: ProviderConfig, surroundings: Surroundings): Client {
  switch (provider.id) {
    case 'github':
      return gitHubClient(provider, surroundings)
    case 'google':
      return openIdClient(provider, ofGoogle, surroundings)
    case 'gitlab':
      return openIdClient(provider, { ...standard, secretIn: 'body' }, surroundings)
    case 'microsoft':
      return openIdClient(provider, microsoftDialect(provider.tenant ?? 'common'), surroundings)
    default:
      return openIdClient(provider, standard, surroundings)
  }
}
