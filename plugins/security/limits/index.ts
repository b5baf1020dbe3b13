import rateLimit from '@fastify/rate-limit'
import { sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { rateLimits } from '../../../drizzle/schema.ts'
import { ipAddressOf } from '../../http/request.ts'
import { countHit, keyOf, TooManyRequests } from './counter.ts'
import { type LimitName, limitOf } from './table.ts'

export * from './counter.ts'
export { defineLimit, type LimitName } from './table.ts'

type BudgetOptions = {
  by?: (request: FastifyRequest) => string
  check?: LimitName | 'uncounted'
  except?: (request: FastifyRequest) => boolean
}

/** Enforced before the handler runs. `check` is a separate limit for validate-only requests. */
export function budget(limit: LimitName, { by, check = limit, except = () => false }: BudgetOptions = {}) {
  const nameOf = (request: FastifyRequest) => (request.precognitive && check !== 'uncounted' ? check : limit)
  const isUncounted = ({ precognitive }: FastifyRequest) => precognitive && check === 'uncounted'
  return {
    allowList: (request: FastifyRequest) => isUncounted(request) || except(request),
    max: (request: FastifyRequest) => limitOf(nameOf(request)).max,
    errorResponseBuilder: (request: FastifyRequest, { ttl }: { ttl: number }) =>
      new TooManyRequests(nameOf(request), Math.ceil(ttl / 1000)),
    keyGenerator: (request: FastifyRequest) => {
      const name = nameOf(request)
      return keyOf(name, (by ?? counted[limitOf(name).each as keyof typeof counted])(request))
    },
  }
}

/** An IPv6 customer owns a whole /64. */
export const clientKey = (request: FastifyRequest) => rateLimit.normalizeIP(ipAddressOf(request), 64)

const counted = {
  client: clientKey,
  user: (request: FastifyRequest) => String(request.signedIn.user.id),
}

export default fp(
  async (app) => {
    class Store {
      incr(key: string, done: (error: Error | null, result?: { current: number; ttl: number }) => void) {
        const limit = key.slice(0, key.indexOf(':')) as LimitName // as keyOf() begins
        countHit(app.db, limit, key).then(
          ({ hits, left }) => done(null, { current: hits ?? Number.POSITIVE_INFINITY, ttl: left * 1000 }),
          done,
        )
      }
      child() {
        return this
      }
    }

    const silent = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false }
    await app.register(rateLimit, {
      global: false,
      store: Store,
      addHeaders: { ...silent, 'retry-after': false },
      addHeadersOnExceeding: silent,
    })

    app.sweeper.add({ table: rateLimits, isExpired: () => sql`${rateLimits.expiresAt} <= now()` })
  },
  { name: 'limits', dependencies: ['database', 'sweeper'] },
)
