import { InvalidResponse } from '../../../plugins/openid/failures.ts'
import type { ProviderRules } from '../../../plugins/openid/rules.ts'
import type { ProviderKind } from './kind.ts'

const consumers = '9188040d-6c67-4c5b-b112-36a304b66dad'
const tenantId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

const isOneTenant = (tenant: string) => tenantId.test(tenant)

export const microsoft = {
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
  rules: ({ tenant = 'common' }) => rulesOf(tenant),
} as const satisfies ProviderKind

const rulesOf = (tenant: string): ProviderRules => ({
  // The library accepts the issuer of any tenant, and all tenants have the same keys.
  requireTenant({ tid }) {
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
