import { migrate, migrateQueue } from '../../drizzle/migrate.ts'
import { type Address, readAddress } from '../../plugins/database/index.ts'

export const addressOf = (url: string) => readAddress(url, { variable: 'DATABASE_URL' })

/** The migrations that run at boot. */
export async function migrateAll(address: Address, log: (line: string) => void = () => {}) {
  await migrate(address, log)
  await migrateQueue(address, log)
}
