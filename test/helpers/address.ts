import { migrate } from '../../drizzle/migrate.ts'
import { type Address, openPool, readAddress } from '../../plugins/database/index.ts'
import { startBoss } from '../../plugins/jobs/queues.ts'

export const addressOf = (url: string) => readAddress(url, { variable: 'DATABASE_URL' })

/** All tables, including those of the queue. */
export async function migrateAll(address: Address) {
  await migrate(address, () => {})
  const pool = openPool(address, 1)
  const boss = await startBoss({ executeSql: (text, values) => pool.query(text, values) }, () => {})
  await boss.stop({ graceful: false })
  await pool.end()
}
