import type { JWTPayload } from 'jose'
import { InvalidResponse } from './failures.ts'
import type { ProviderRules } from './openid.ts'

const ofConsumers = '9188040d-6c67-4c5b-b112-36a304b66dad'
const tenantId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

const isOneTenant = (tenant: string) => tenantId.test(tenant)

export const microsoftRules = (tenant: string): ProviderRules => ({
  // The library expects the issuer of whatever tenant a token names, and the keys are the same for all of them.
  requireTenant({ tid }: JWTPayload) {
    const isAllowed =
      typeof tid === 'string' &&
      tenantId.test(tid) &&
      (isOneTenant(tenant) ? tid === tenant : tenant === 'common' || (tenant === 'consumers') === (tid === ofConsumers))
    if (!isAllowed) throw new InvalidResponse('claim_tid')
  },
  // Administrators of any tenant may write whatever they like into `email`, so it counts only if the tenant is ours, or
  // if Microsoft says that the domain's owner was verified.
  isEmailVerified: ({ xms_edov }) => isOneTenant(tenant) || xms_edov === true || xms_edov === 1 || xms_edov === '1',
  wanted: ['email', 'name'],
  secretIn: 'body',
})
