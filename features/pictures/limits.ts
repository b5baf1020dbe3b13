import { defineLimit } from '../../plugins/security/limits/index.ts'
import { minuteSeconds, tries } from '../../plugins/security/limits/table.ts'

declare module '../../plugins/security/limits/table.ts' {
  interface FeatureLimits {
    picture: Limit
    picture_client: Limit
  }
}

defineLimit('picture', { each: 'user', max: 10, windowSeconds: 3 * minuteSeconds })
defineLimit('picture_client', tries)
