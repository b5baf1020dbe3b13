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

/** All jobs of a queue database, as its tables hold them. */
export const jobsIn = async (db: Database) =>
  [...(await db.execute(sql`select * from pgboss.job order by created_on`))] as unknown as Job[] // the table is not ours

/** Returns once there is such a job. */
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

/** Brings the next try forward to now. */
export async function hurry(db: Database) {
  await nextTry(db)
  await retryNow(db)
}

export async function retryNow(db: Database) {
  await db.execute(sql`update pgboss.job set start_after = now() where state = 'retry'`)
  await wake(db)
}

/** As if the process had died between a delivery and the note of it. */
export async function forgetDelivery(db: Database) {
  await jobIs(db, 'completed')
  await db.execute(sql`update pgboss.job set state = 'retry', completed_on = null where state = 'completed'`)
  await wake(db)
}

/** The minutes until the next try, once it has been put off. */
export async function nextTry(db: Database) {
  for (;;) {
    const { start_after } = await jobIs(db, 'retry')
    const minutes = Math.round((Date.parse(start_after) - Date.now()) / 60_000)
    if (minutes > 0) return minutes
    await sleep(20)
  }
}

/** Has the workers look now, which they do by themselves every quarter of a minute. */
export const wake = (db: Database) =>
  db.execute(sql`select pg_notify('pgboss_' || left(encode(sha224('pgboss'), 'hex'), 24), 'mail')`)
