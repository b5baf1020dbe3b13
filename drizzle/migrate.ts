import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate as runMigrations } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { installQueues } from '../plugins/mail/install.ts'

const migrationsFolder = fileURLToPath(new URL('migrations', import.meta.url))
const advisoryLock = 7_203_184_551 // any number that nothing else on this database locks

/** Brings the database, and that of the queue, up to date. Several containers may boot at once: the first migrates, the others wait and find nothing to do. */
export async function migrate(url: string, queueUrl = url) {
  const sql = postgres(url, { max: 1, onnotice: () => {}, fetch_types: false })
  try {
    await sql`select pg_advisory_lock(${advisoryLock})` // released with the connection
    await runMigrations(drizzle({ client: sql }), { migrationsFolder })
    await installQueues(queueUrl)
  } finally {
    await sql.end()
  }
}
