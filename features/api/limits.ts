import { defineLimit } from '../../plugins/security/limits/index.ts'
import { minuteSeconds, tries } from '../../plugins/security/limits/table.ts'

declare module '../../plugins/security/limits/table.ts' {
  interface FeatureLimits {
    token_creation: Limit
    wrong_token: Limit
    api_request: Limit
  }
}

defineLimit('token_creation', tries)
// lines of the log: the answer stays 401
defineLimit('wrong_token', tries)
defineLimit('api_request', { each: 'token', max: 600, windowSeconds: 5 * minuteSeconds })
