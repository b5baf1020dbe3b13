import { defineLimit } from '../../plugins/security/limits/index.ts'
import { tries } from '../../plugins/security/limits/table.ts'

declare module '../../plugins/security/limits/table.ts' {
  interface FeatureLimits {
    provider_start: Limit
    provider_sign_up: Limit
    provider_sign_up_check: Limit
    identity_connection: Limit
    identity_removal: Limit
  }
}

defineLimit('provider_start', tries)
defineLimit('provider_sign_up', tries)
defineLimit('provider_sign_up_check', { ...tries, max: 60 })
defineLimit('identity_connection', tries)
defineLimit('identity_removal', tries)
