import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { tell } from '../happenings.ts'
import { clientOf } from '../http/client.ts'

/** What an attack is made of, each with the ways in which it may end. Features of their own add to it by declaration merging. */
export interface SecurityEvents {
  sign_in: 'right' | 'wrong' | 'refused'
  challenge: 'right' | 'wrong'
  password_reset: 'requested' | 'done' | 'bad_link'
  session: 'ended'
  action: 'denied'
  request: 'forged'
  limit: 'hit'
}

const unsuspicious = new Set<string>([
  'right',
  'requested',
  'done',
  'ended',
  'stale',
  'enabled',
  'disabled',
  'added',
  'removed',
])

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Writes a line by which an attack can be told from use. `user` is whom it concerns, unless that is who is signed in: an id, for a line holds no
     * address of a person, no token and no password.
     */
    security<Event extends keyof SecurityEvents>(
      event: Event,
      outcome: SecurityEvents[Event],
      about?: { user?: number | undefined },
    ): void
  }
}

/** What failed is a warning, so that it is still there where a busy server logs nothing below. */
export default fp(
  async (app) => {
    app.decorateRequest('security', function (this: FastifyRequest, event, outcome, { user } = {}) {
      const line = {
        kind: 'security',
        event,
        outcome,
        user: user ?? this.auth?.user.id,
        client: clientOf(this).ipAddress,
      }
      tell('security', { event, outcome })
      this.log[unsuspicious.has(outcome) ? 'info' : 'warn'](line, 'security')
    })
  },
  { name: 'security-log', dependencies: ['session'] },
)
