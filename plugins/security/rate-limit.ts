import rateLimit from '@fastify/rate-limit'
import { lt, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { rateLimits } from '../../drizzle/schema.ts'
import type { Database } from '../database/index.ts'
import { clientOf } from '../http/client.ts'

export const tryLater = 'Try again later.'

/** Over the limit. In a browser it becomes an alert on the page that it came from. */
export class TooManyRequests extends Error {
  readonly statusCode = 429
  readonly publicMessage = tryLater
}

const threeMinutes = 180_000
const hourly = 3_600_000

type Limit = { by?: (request: FastifyRequest) => string; checks?: number }

/**
 * The route option for a budget of its own: 10 requests in 3 minutes for each client. `checks` gives validate-only requests another budget,
 * of that size. Hits are counted in Postgres, so all processes and containers share a budget, and a store out of reach fails the request
 * instead of letting it pass.
 */
export function budget(endpoint: string, { by = addressOf, checks }: Limit = {}) {
  const isCheck = (request: FastifyRequest) => checks !== undefined && request.precognitive
  return {
    timeWindow: threeMinutes,
    max: (request: FastifyRequest) => (isCheck(request) ? (checks ?? 0) : 10),
    keyGenerator: (request: FastifyRequest) => `${endpoint}${isCheck(request) ? '_check' : ''}:${by(request)}`,
  }
}

// An IPv6 customer owns a whole /64.
const addressOf = (request: FastifyRequest) => rateLimit.normalizeIP(clientOf(request).ipAddress, 64)

export default fp(
  async (app) => {
    const count = hitCounter(app.db)

    class PostgresStore {
      incr(key: string, done: (error: Error | null, result?: { current: number; ttl: number }) => void) {
        count(key).then((result) => done(null, result), done)
      }
      child() {
        return this
      }
    }

    const silent = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false }
    await app.register(rateLimit, {
      global: false,
      store: PostgresStore,
      addHeaders: silent,
      addHeadersOnExceeding: silent,
      errorResponseBuilder: () => new TooManyRequests(),
    })

    const sweeper = setInterval(() => {
      forgetExpired(app.db).catch((error) => app.log.warn({ err: error }, 'expired rate limits stay for another hour'))
    }, hourly)
    sweeper.unref()
    app.addHook('onClose', async () => clearInterval(sweeper))
  },
  { name: 'rate-limit', dependencies: ['database'] },
)

/** One statement a hit, by the database's clock, which all processes share. The row lock decides between hits at the same moment. */
function hitCounter(db: Database) {
  const window = sql`interval '3 minutes'`
  const isOver = sql`${rateLimits.expiresAt} <= now()`
  const statement = db
    .insert(rateLimits)
    .values({ key: sql.placeholder('key'), hits: 1, expiresAt: sql`now() + ${window}` })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        hits: sql`case when ${isOver} then 1 else ${rateLimits.hits} + 1 end`,
        expiresAt: sql`case when ${isOver} then now() + ${window} else ${rateLimits.expiresAt} end`,
      },
    })
    .returning({
      current: rateLimits.hits,
      ttl: sql<number>`(extract(epoch from ${rateLimits.expiresAt} - now()) * 1000)::int`,
    })
    .prepare('count_hit')

  return async (key: string) => {
    const [hit] = await statement.execute({ key })
    if (!hit) throw new Error('the hit was not counted')
    return hit
  }
}

/** Deletes what no longer counts. */
export const forgetExpired = (db: Database) => db.delete(rateLimits).where(lt(rateLimits.expiresAt, sql`now()`))
