import { defineLimit } from '../../plugins/security/limits/index.ts'
import { tries } from '../../plugins/security/limits/table.ts'

declare module '../../plugins/security/limits/table.ts' {
  interface FeatureLimits {
    mail_code: Limit
    mail_code_verification: Limit
    sign_in_code_mail: Limit
  }
}

defineLimit('mail_code', tries)
defineLimit('mail_code_verification', tries)
defineLimit('sign_in_code_mail', { each: 'mailbox', max: 10, windowSeconds: 86_400 })
