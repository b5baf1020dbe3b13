import fp from 'fastify-plugin'
import type { Address } from './address.ts'
import { connect, type Database } from './connect.ts'
import type { Deadlines } from './deadlines.ts'
import { cancelIfTimedOut, observeQueries, type Queries } from './queries.ts'

export { type Address, readAddress } from './address.ts'
export { openClient } from './client.ts'
export { connect, type Database } from './connect.ts'
export { type Deadlines, deadlines, forTransaction, isLate, poolTimeout } from './deadlines.ts'
export { isStorable, isUniqueViolation } from './failures.ts'
export { requireListening } from './listening.ts'
export { containing, pageOf, searchIn } from './lists.ts'
export { observeQueries, type Queries } from './queries.ts'
export { UnreadableAddress } from './refusal.ts'
export { afterCommit, beforeCommit, type Tx } from './transactions.ts'
export { DatabaseUnusable, describeErrors, waitForDatabase } from './wait.ts'

declare module 'fastify' {
  interface FastifyInstance {
    db: Database
  }
  interface FastifyRequest {
    queries: Queries
  }
}

type Options = {
  address: Address
  /** The address for LISTEN, which does not work through a pooler. */
  direct: Address
  pool: number
  deadlines?: Partial<Deadlines> | undefined
}

/**
 * Adds `app.db`: the connection pools of the process, closed with the application. The queries of each request are
 * counted, and cancelled if it times out.
 */
export default fp<Options>(
  async (app, { address, direct, pool, deadlines }) => {
    const db = connect(address, pool, direct, deadlines)
    app.decorate('db', db)
    app.decorateRequest('queries')
    app.addHook('onRequest', (request, _reply, done) => {
      request.queries = { count: 0, ms: 0, signal: request.signal, running: new Set() }
      observeQueries(request.queries, done)
    })
    app.addHook('onResponse', (request, _reply, done) => {
      if (request.queries) cancelIfTimedOut(request.queries)
      done()
    })
    app.addHook('onClose', () => db.$client.end({ timeout: 5 }))
  },
  { name: 'database' },
)
