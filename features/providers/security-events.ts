import { defineSecurityEvent } from '../../plugins/security/log.ts'

const outcomes = ['refused', 'cancelled', 'unreachable', 'right', 'unknown', 'connected', 'disconnected'] as const

declare module '../../plugins/security/log.ts' {
  interface SecurityEvents {
    provider: (typeof outcomes)[number]
  }
}

defineSecurityEvent('provider', [...outcomes])
