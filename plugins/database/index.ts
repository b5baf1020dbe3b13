import fp from 'fastify-plugin'
import type { Address } from './address.ts'
import { connect, type Database } from './connect.ts'
import { createListener, type Listener } from './listener.ts'
import type { Deadlines } from './pool.ts'

export { type Address, readAddress, UnreadableAddress } from './address.ts'
export { connect, type Database, type Tx } from './connect.ts'
export { isLate, isStorable, isUniqueViolation } from './failures.ts'
export { type Deadlines, deadlines, localSettings, openPool, withClient } from './pool.ts'
export { DatabaseUnusable, describeErrors, requireListening, waitForDatabase } from './wait.ts'

declare module 'fastify' {
  interface FastifyInstance {
    db: Database
    listener: Listener
  }
}

type Options = {
  address: Address
  direct: Address
  pool: number
  deadlines?: Partial<Deadlines> | undefined
}

export default fp<Options>(
  async (app, { address, direct, pool, deadlines }) => {
    const db = connect(address, pool, deadlines)
    const listener = createListener(direct)
    app.decorate('db', db)
    app.decorate('listener', listener)
    app.addHook('onClose', async () => {
      await Promise.all([db.close(), listener.close()])
    })
  },
  { name: 'database' },
)
