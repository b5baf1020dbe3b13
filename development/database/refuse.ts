import type { Config } from '../../server/config.ts'

/** Throws unless the database is one of this machine, so that a forgotten DATABASE_URL costs nobody their data. */
export function requireOwnDatabase({ production, database: { address, isGiven } }: Config) {
  if (!production && (!isGiven || ['localhost', '127.0.0.1', '::1'].includes(address.host))) return
  throw new Error('This changes a development database on this machine only: see NODE_ENV and DATABASE_URL')
}
