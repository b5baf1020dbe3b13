import { configured } from '../../commands/command.ts'

/** Throws unless the database is one of this machine, so that a forgotten DATABASE_URL costs nobody their data. */
export async function ownDatabase() {
  const config = await configured()
  const { address, isGiven } = config.database
  if (!config.production && (!isGiven || ['localhost', '127.0.0.1', '::1'].includes(address.host))) return config
  throw new Error('This changes a development database on this machine only: see NODE_ENV and DATABASE_URL')
}
