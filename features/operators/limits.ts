import { defineLimit } from '../../plugins/security/limits/index.ts'
import { tries } from '../../plugins/security/limits/table.ts'

declare module '../../plugins/security/limits/table.ts' {
  interface FeatureLimits {
    operator_change: Limit
  }
}

defineLimit('operator_change', tries)
