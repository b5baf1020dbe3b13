import { defineLimit } from '../../plugins/security/limits/index.ts'
import { minuteSeconds, tries } from '../../plugins/security/limits/table.ts'

declare module '../../plugins/security/limits/table.ts' {
  interface FeatureLimits {
    sso_search: Limit
    sso_start: Limit
    sso_save: Limit
    domain_look: Limit
    domain_watch: Limit
    sso_setup: Limit
    sso_setup_change: Limit
    sso_removal: Limit
  }
}

defineLimit('sso_search', tries)
defineLimit('sso_start', tries)
defineLimit('sso_removal', tries)
defineLimit('sso_save', { each: 'user', max: 10, windowSeconds: 3 * minuteSeconds })
defineLimit('domain_look', { each: 'user', max: 20, windowSeconds: 3 * minuteSeconds })
defineLimit('domain_watch', { each: 'user', max: 20, windowSeconds: 3 * minuteSeconds })
defineLimit('sso_setup', { ...tries, max: 60 })
defineLimit('sso_setup_change', { each: 'account', max: 30, windowSeconds: 3 * minuteSeconds })
