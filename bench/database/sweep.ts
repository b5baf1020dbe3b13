import autocannon from 'autocannon'
import postgres from 'postgres'
import { readAddress } from '../../plugins/database/index.ts'
import { connectQueues } from '../../plugins/queues/queues.ts'
import { median } from '../lib/load.ts'
import { startApplication } from '../lib/processes.ts'
import { limitRow, type Row } from '../lib/table.ts'
import { type Person, signUp } from '../lib/visitor.ts'

// far below the maximum, so that waiting becomes visible
const visits = { connections: 4, overallRate: 100, duration: 5 }
const rounds = 3

/** The 99th percentile of account pages while a million rows are swept, compared with none. Alternating. */
export async function benchSweep(databaseUrl: string): Promise<Row[]> {
  const application = await startApplication(databaseUrl)
  const person = await signUp(application.url, 'sweep@example.com').finally(application.stop)
  const sql = postgres(databaseUrl, { max: 1 })
  const ratios: number[] = []
  let left = 0
  try {
    for (let round = 0; round < rounds; round++) {
      const calm = await slowest(databaseUrl, person)
      await sql`
        insert into rate_limits (key, hits, expires_at)
        select 'over:' || n, 1, now() - interval '1 day' from generate_series(1, 1000000) n on conflict do nothing`
      await sql`analyze rate_limits`
      await askForSweep(databaseUrl)
      const busy = await slowest(databaseUrl, person)
      const [rows] = await sql`select count(*)::int as count from rate_limits where key like 'over:%'`
      left = rows?.count ?? 0
      if (left === 1_000_000) throw new Error('nothing was swept')
      ratios.push(busy / calm)
    }
  } finally {
    await sql`truncate rate_limits`
    await sql.end()
  }
  return [
    limitRow('GET /{slug} while a million rows are swept, p99, of without', median(ratios), {
      unit: '×',
      target: 1.5,
      digits: 2,
    }),
  ]
}

/** The application fetches the job when it starts. */
async function askForSweep(databaseUrl: string) {
  const { boss, close } = await connectQueues(readAddress(databaseUrl, { variable: 'DATABASE_URL' }))
  await boss.deleteAllJobs('cron')
  await boss.send('cron', { job: 'sweep' }, { singletonKey: 'sweep' })
  await close()
}

async function slowest(databaseUrl: string, person: Person) {
  const application = await startApplication(databaseUrl)
  try {
    const load = { ...visits, url: `${application.url}/${person.slug}`, headers: { cookie: person.cookie } }
    await autocannon({ ...load, duration: 1 })
    const result = await autocannon(load)
    if (result.errors > 0) throw new Error(`${load.url} failed`)
    return result.latency.p99
  } finally {
    await application.stop()
  }
}
