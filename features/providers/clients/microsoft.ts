import type { JWTPayload } from 'jose'
import { Untrusted } from './failures.ts'

const ofConsumers = '9188040d-6c67-4c5b-b112-36a304b66dad'
const tenantId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

const isOneTenant = (tenant: string) => tenantId.test(tenant)

/**
 * The issuer of tokens from one of the tenants that may sign in here. Theirs names the tenant, and without this check
 * the tokens of any would pass, since the keys are the same for all.
 */
export function issuerOf(tenant: string, discovered: string, { tid }: JWTPayload) {
  const allowed =
    typeof tid === 'string' &&
    tenantId.test(tid) &&
    (isOneTenant(tenant) ? tid === tenant : tenant === 'common' || (tenant === 'consumers') === (tid === ofConsumers))
  if (!allowed) throw new Untrusted('claim_tid')
  return discovered.replace('{tenantid}', tid)
}

/**
 * Administrators of any tenant may write whatever they like into `email`, so it counts only if the tenant is ours, or
 * if Microsoft says that the domain's owner was verified.
 */
export const vouches = (tenant: string, { xms_edov }: JWTPayload) =>
  isOneTenant(tenant) || xms_edov === true || xms_edov === 1 || xms_edov === '1'
