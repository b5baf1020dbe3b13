import { defineLimit } from '../../plugins/security/limits/index.ts'
import { tries, verifications } from '../../plugins/security/limits/table.ts'

declare module '../../plugins/security/limits/table.ts' {
  interface FeatureLimits {
    second_factor_setup: Limit
    second_factor_confirmation: Limit
    second_factor_removal: Limit
    recovery_codes: Limit
  }
}

defineLimit('second_factor_setup', tries)
defineLimit('second_factor_confirmation', verifications)
defineLimit('second_factor_removal', tries)
defineLimit('recovery_codes', tries)
