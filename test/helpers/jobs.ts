import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import database, { type Database } from '../../plugins/database/index.ts'
import jobs from '../../plugins/jobs/index.ts'
import type { Run } from '../../plugins/jobs/worker.ts'
import languages from '../../plugins/languages/index.ts'
import mail, { type MailSettings, transportTo } from '../../plugins/mail/index.ts'
import { addressOf } from './address.ts'
import { collectLines } from './app.ts'
import { createDatabase } from './database.ts'

declare module '../../plugins/jobs/index.ts' {
  interface Jobs {
    report: { about: string; email?: string }
    nightly: Record<string, never>
  }
}

type Job = {
  id: string
  name: string
  state: string
  retry_count: number
  started_on: string
  start_after: string
  data: Record<string, unknown> & { job: string }
  output: unknown
}

/** All jobs, oldest first. */
export async function jobsIn(db: Database) {
  const { rows } = await db.execute<Job>(sql`
    select * from pgboss.job where name in ('jobs', 'private_jobs', 'dead_jobs') order by created_on`)
  return rows
}

/** Waits for such a job. */
export async function untilJob(db: Database, wanted: Partial<Job>) {
  for (;;) {
    const job = (await jobsIn(db)).find((each) =>
      Object.entries(wanted).every(([key, value]) => each[key as keyof Job] === value),
    )
    if (job) return job
    await sleep(20)
  }
}

/** Waits until every job has been tried. */
export async function untilAllTried(db: Database) {
  while ((await jobsIn(db)).some(({ state }) => state === 'created' || state === 'active')) await sleep(20)
}

/** Makes the next try due now. */
export async function retryNow(db: Database) {
  await db.execute(sql`update pgboss.job set start_after = now() where state = 'retry'`)
  await wake(db)
}

/** Simulates a process that died at the end of a job, before that was recorded. */
export async function forgetEnd(db: Database) {
  await untilJob(db, { state: 'completed' })
  await db.execute(sql`update pgboss.job set state = 'retry', completed_on = null where state = 'completed'`)
  await wake(db)
}

/** Makes the workers look now, instead of within 15 seconds. */
export const wake = (db: Database, queue = 'jobs') =>
  db.execute(sql`select pg_notify('pgboss_' || left(encode(sha224('pgboss'), 'hex'), 24), ${queue})`)

/** Defines the job `report`, and returns a function that queues one. */
export function defineReport(app: FastifyInstance, work: (data: { about: string }, run: Run) => Promise<unknown>) {
  app.jobs.define('report', { work })
  return (about: string) => app.db.transaction((tx) => app.jobs.queue(tx, 'report', { about }))
}

/** Jobs and mails without the application around them, and their log lines. */
export async function startJobs(t: Test, { server = {} as Partial<MailSettings>, url = '', queueUrl = '' } = {}) {
  const { lines, logTo } = collectLines()
  const app = Fastify({ logger: { stream: logTo } })
  t.teardown(() => app.close())

  const address = addressOf(url || (await createDatabase(t)))
  await app.register(database, { address, direct: address, pool: 4 })
  await app.register(languages, { tags: [] })
  const transport = transportTo({ port: 25, ...server }, app.log)
  await app.register(mail, { transport, from: 'accounts@acme.example', links: {}, appName: 'Acme Accounts', origin })
  const queue = queueUrl ? addressOf(queueUrl) : address
  await app.register(jobs, { address: queue, joinsTransactions: !queueUrl })
  return { app, db: app.db, lines }
}
const origin = 'http://localhost:3000'
