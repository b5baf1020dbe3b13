import type { JWTPayload } from 'jose'
import type { ProviderConfig } from '../configuration.ts'
import type { ClientOptions, ProviderClient } from './client.ts'
import { boundedBy, InvalidResponse } from './failures.ts'
import { gitHubClient } from './github.ts'
import { openIdClient, type ProviderRules } from './openid.ts'

const isVerified = ({ email_verified }: JWTPayload) => email_verified === true

const standard: ProviderRules = {
  isEmailVerified: isVerified,
  wanted: ['email', 'email_verified', 'name'],
  secretIn: 'header',
}

/** Besides its own domains, Google vouches only for domains whose mail it hosts (`hd`). */
const ofGoogle: ProviderRules = {
  ...standard,
  isEmailVerified: (claims) =>
    isVerified(claims) &&
    (/@(gmail|googlemail)\.com$/i.test(String(claims.email)) || (typeof claims.hd === 'string' && claims.hd !== '')),
  secretIn: 'body',
}

const consumers = '9188040d-6c67-4c5b-b112-36a304b66dad'
const tenantId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

const isOneTenant = (tenant: string) => tenantId.test(tenant)

const ofMicrosoft = (tenant: string): ProviderRules => ({
  // The library accepts the issuer of any tenant, and all tenants have the same keys.
  requireTenant({ tid }: JWTPayload) {
    const isAllowed =
      typeof tid === 'string' &&
      tenantId.test(tid) &&
      (isOneTenant(tenant) ? tid === tenant : tenant === 'common' || (tenant === 'consumers') === (tid === consumers))
    if (!isAllowed) throw new InvalidResponse('claim_tid')
  },
  // Administrators of any tenant can write anything into `email`, so it counts only if the tenant is ours, or if
  // Microsoft says that the domain's owner was verified.
  isEmailVerified: ({ xms_edov }) => isOneTenant(tenant) || xms_edov === true || xms_edov === 1 || xms_edov === '1',
  wanted: ['email', 'name'],
  secretIn: 'body',
})

const rules: Record<string, (provider: ProviderConfig) => ProviderRules> = {
  google: () => ofGoogle,
  gitlab: () => ({ ...standard, secretIn: 'body' }),
  microsoft: ({ tenant = 'common' }) => ofMicrosoft(tenant),
}

export function providerClient(provider: ProviderConfig, { fetch, redirectUri }: ClientOptions): ProviderClient {
  const options = { fetch: boundedBy(fetch), redirectUri }
  if (provider.id === 'github') return gitHubClient(provider, options)
  return openIdClient(provider, rules[provider.id]?.(provider) ?? standard, options)
}
