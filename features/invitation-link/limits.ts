import { defineLimit } from '../../plugins/security/limits/index.ts'
import { minuteSeconds } from '../../plugins/security/limits/table.ts'

declare module '../../plugins/security/limits/table.ts' {
  interface FeatureLimits {
    join: Limit
  }
}

defineLimit('join', { each: 'user', max: 30, windowSeconds: 3 * minuteSeconds })
