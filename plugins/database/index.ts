import fp from 'fastify-plugin'
import type { Address } from './address.ts'
import { connect, type Database, type Deadlines } from './connect.ts'
import { createListener, type Listener } from './listener.ts'

export { type Address, readAddress, UnreadableAddress } from './address.ts'
export * from './connect.ts'
export { DatabaseUnusable, isLate, isReadOnly, isUniqueViolation, StaleRead, unwrapQueryError } from './failures.ts'
export { describeErrors, requireListening, requireSchema, waitForDatabase } from './requirements.ts'

declare module 'fastify' {
  interface FastifyInstance {
    db: Database
    listener: Listener
  }
}

type DatabaseOptions = {
  address: Address
  direct: Address
  pool: number
  deadlines?: Partial<Deadlines> | undefined
}

export default fp<DatabaseOptions>(
  async (app, { address, direct, pool, deadlines }) => {
    const db = connect(address, pool, deadlines, (err) =>
      app.log.error({ err }, 'what follows a commit failed: the commit stands'),
    )
    const listener = createListener(direct)
    app.decorate('db', db)
    app.decorate('listener', listener)
    app.addHook('onClose', async () => {
      await Promise.all([db.close(), listener.close()])
    })
  },
  { name: 'database' },
)

/** Whether a text column can store it: Postgres accepts neither NUL nor half a surrogate pair. */
export const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')
