import { defineSecurityEvent } from '../../plugins/security/log.ts'

const outcomes = [
  'started',
  'refused',
  'cancelled',
  'unreachable',
  'right',
  'unknown',
  'connected',
  'disconnected',
  'signed_up',
] as const

declare module '../../plugins/security/log.ts' {
  interface SecurityEvents {
    sso: (typeof outcomes)[number]
  }
}

defineSecurityEvent('sso', [...outcomes])
