import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Database } from '../../../plugins/database/index.ts'

type Job = {
  name: string
  state: string
  retry_count: number
  start_after: string
  data: Record<string, unknown>
  source_output: unknown
}

/** All mails in the job table. */
export const jobsIn = async (db: Database) =>
  // not our table, so it has no type
  [
    ...(await db.execute(sql`select * from pgboss.job where name in ('mail', 'mail_dead') order by created_on`)),
  ] as unknown as Job[]

/** Waits for such a job. */
export async function jobIs(db: Database, state: string, wanted: Partial<Job> = {}) {
  const asWanted = (job: Job) =>
    job.state === state &&
    Object.entries({ name: 'mail', ...wanted }).every(([key, value]) => job[key as keyof Job] === value)
  for (;;) {
    const job = (await jobsIn(db)).find(asWanted)
    if (job) return job
    await sleep(20)
  }
}

/** Makes the next try due now. */
export async function hurry(db: Database) {
  await nextTry(db)
  await retryNow(db)
}

export async function retryNow(db: Database) {
  await db.execute(sql`update pgboss.job set start_after = now() where state = 'retry'`)
  await wake(db)
}

/** Simulates a process that died after a delivery and before it was recorded. */
export async function forgetDelivery(db: Database) {
  await jobIs(db, 'completed')
  await db.execute(sql`update pgboss.job set state = 'retry', completed_on = null where state = 'completed'`)
  await wake(db)
}

/** Minutes until the next try, once it is scheduled. */
export async function nextTry(db: Database) {
  for (;;) {
    const { start_after } = await jobIs(db, 'retry')
    const minutes = Math.round((Date.parse(start_after) - Date.now()) / 60_000)
    if (minutes > 0) return minutes
    await sleep(20)
  }
}

/** Makes the workers look now, instead of within 15 seconds. */
export const wake = (db: Database, queue = 'mail') =>
  db.execute(sql`select pg_notify('pgboss_' || left(encode(sha224('pgboss'), 'hex'), 24), ${queue})`)
