import { defineSecurityEvent } from '../../plugins/security/log.ts'

const outcomes = ['requested', 'wrong', 'stale'] as const

declare module '../../plugins/security/log.ts' {
  interface SecurityEvents {
    mail_code: (typeof outcomes)[number]
  }
}

defineSecurityEvent('mail_code', [...outcomes])
