import fp from 'fastify-plugin'
import { ipAddressOf } from '../http/request.ts'
import { instrument } from '../instrumentation.ts'
import type { LimitName } from './limits/index.ts'

/** All that can happen in the core, by event. */
const coreOutcomes = {
  sign_in: ['right', 'wrong', 'refused'],
  challenge: ['right', 'wrong'],
  password_reset: ['requested', 'done', 'bad_link'],
  session: ['ended'],
  action: ['denied'],
  request: ['forged'],
  limit: ['hit'],
  email_change: ['undone', 'bad_link'],
  not_mine: ['removed', 'bad_link'],
  second_factor: ['right', 'wrong', 'locked', 'stale', 'enabled', 'disabled'],
} as const
type CoreEvents = { [Event in keyof typeof coreOutcomes]: (typeof coreOutcomes)[Event][number] }

/** Options add theirs, by declaration merging. */
export interface SecurityEvents extends CoreEvents {}

/** All that can happen, by event, once the application is loaded. */
export const securityOutcomes: Record<string, readonly string[]> = { ...coreOutcomes }

/**
 * Adds an event with its outcomes.
 * @public
 */
export const defineSecurityEvent = <Event extends keyof SecurityEvents>(
  event: Event,
  outcomes: SecurityEvents[Event][],
) => {
  securityOutcomes[event] = outcomes
}

const suspiciousOutcomes = new Set<string>([
  'wrong',
  'refused',
  'bad_link',
  'denied',
  'forged',
  'hit',
  'undone',
  'locked',
  'counter',
  'rolled',
  'unreachable',
])

declare module 'fastify' {
  interface FastifyRequest {
    /** Logs ids only: never email addresses, tokens or passwords. */
    security<Event extends keyof SecurityEvents>(
      event: Event,
      outcome: SecurityEvents[Event],
      about?: {
        user?: number | undefined
        limit?: LimitName
        provider?: string
        account?: number
        reason?: string | undefined
      },
    ): void
  }
}

/** Suspicious outcomes are logged as warnings, so they survive a log level that drops info. */
export default fp(
  async (app) => {
    app.decorateRequest('security', function (event, outcome, about = {}) {
      const { user = this.auth?.user.id, ...more } = about
      instrument('security', { event, outcome })
      const line = { kind: 'security', event, outcome, user, client: ipAddressOf(this), ...more }
      this.log[suspiciousOutcomes.has(outcome) ? 'warn' : 'info'](line, 'security')
    })
  },
  { name: 'security-log' },
)
