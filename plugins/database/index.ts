import fp from 'fastify-plugin'
import type { Address } from './address.ts'
import { connect, type Database } from './connect.ts'
import type { Deadlines } from './deadlines.ts'

export { type Address, readAddress } from './address.ts'
export { openClient } from './client.ts'
export { connect, type Database } from './connect.ts'
export { cancelWhenGivenUp, observingQueries, type Queries } from './counting.ts'
export { type Deadlines, deadlines, isLate } from './deadlines.ts'
export { isStorable, isUniqueViolation } from './failures.ts'
export { requireListening } from './listening.ts'
export { plannedAnew } from './prepared.ts'
export { DatabaseUnusable, explaining, untilReachable } from './reach.ts'
export { UnreadableAddress } from './refusal.ts'
export { afterCommit, type Tx, withCommit } from './transactions.ts'

declare module 'fastify' {
  interface FastifyInstance {
    db: Database
  }
}

type Options = {
  address: Address
  /** The address for LISTEN, which does not work through a pooler. */
  direct: Address
  pool: number
  deadlines?: Partial<Deadlines> | undefined
}

/** Adds `app.db`: one pool per process, closed with the application. */
export default fp<Options>(
  async (app, { address, direct, pool, deadlines }) => {
    const db = connect(address, pool, direct, deadlines)
    app.decorate('db', db)
    app.addHook('onClose', () => db.$client.end({ timeout: 5 }))
  },
  { name: 'database' },
)
