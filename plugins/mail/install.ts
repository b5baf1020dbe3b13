import { createHash } from 'node:crypto'
import boss from 'pg-boss/package.json' with { type: 'json' }
import postgres from 'postgres'
import { deadSettings, waitingSettings } from './settings.ts'

const wanted = createHash('sha256')
  .update(JSON.stringify([boss.version, waitingSettings, deadSettings]))
  .digest('hex')

/** The tables of pg-boss and our queues, as they have to be. What is there is written on the schema, because pg-boss itself is too slow to load at every boot. */
export async function installQueues(url: string) {
  const sql = postgres(url, { max: 1, onnotice: () => {}, fetch_types: false })
  try {
    const [schema] = await sql`select obj_description(to_regnamespace('pgboss'), 'pg_namespace') as installed`
    if (schema?.installed === wanted) return
    const { createQueues } = await import('./queues.ts')
    await createQueues(url)
    await sql.unsafe(`comment on schema pgboss is '${wanted}'`)
  } finally {
    await sql.end()
  }
}
