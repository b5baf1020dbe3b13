import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { PgBoss } from 'pg-boss'
import t from 'tap'
import type { Database } from '../../../plugins/database/index.ts'
import { startApp } from '../../helpers/app.ts'
import { createDatabase } from '../../helpers/database.ts'
import { password, signedUp } from '../../helpers/people.ts'
import { wake } from '../mail/jobs.ts'
import { defineReport, report } from './report.ts'

type Job = { id: string; name: string; state: string; retry_count: number; output: unknown; data: object }

const jobsIn = async (db: Database) => [
  ...(await db.execute<Job>(
    sql`select id, name, state, retry_count, output, data from pgboss.job where name like 'job%'`,
  )),
]

/** Waits for a job in this state. */
async function jobIs(db: Database, state: string, { name = 'job', retries = 0 } = {}) {
  for (;;) {
    const isMeant = (job: Job) => job.state === state && job.name === name && job.retry_count >= retries
    const job = (await jobsIn(db)).find(isMeant)
    if (job) return job
    await sleep(20)
  }
}

/** Makes the next try due now. */
async function hurry(db: Database) {
  await db.execute(sql`update pgboss.job set start_after = now() where state = 'retry'`)
  await wake(db, 'job')
}

t.test('a job runs after the commit, and never after a rollback', async (t) => {
  const { app, db } = await startApp(t)
  const done: string[] = []
  defineReport(app, async ({ about }) => done.push(about))
  await app.jobs.work()
  await t.rejects(
    db.transaction(async (tx) => {
      await app.jobs.queue(tx, 'report', { about: 'a rollback' })
      throw new Error('rolled back')
    }),
  )
  await report(app, 'Acme')
  await jobIs(db, 'completed')
  t.same(done, ['Acme'])
})

t.test('one for later waits until then', async (t) => {
  const { app, db } = await startApp(t)
  const done: string[] = []
  defineReport(app, async ({ about }) => done.push(about))
  await db.transaction((tx) =>
    app.jobs.queue(tx, 'report', { about: 'tomorrow' }, { startAfter: new Date(Date.now() + 86_400_000) }),
  )
  await app.jobs.work()
  await report(app, 'today')
  await jobIs(db, 'completed')
  t.same(done, ['today'])
})

t.test('with a queue in another database, a job is added after the commit', async (t) => {
  const { app } = await startApp(t, { QUEUE_URL: await createDatabase(t) })
  const reported = new Promise((resolve) => defineReport(app, async ({ about }) => resolve(about)))
  await app.jobs.work()
  await t.rejects(
    app.db.transaction(async (tx) => {
      await app.jobs.queue(tx, 'report', { about: 'a rollback' })
      throw new Error('rolled back')
    }),
  )
  await report(app, 'Acme')
  t.equal(await reported, 'Acme')
})

t.test('one that fails is tried again under the same id, and kept for operators in the end', async (t) => {
  const { app, db } = await startApp(t)
  const ids = new Set<string>()
  let fails = true
  defineReport(app, async (_data, { id }) => {
    ids.add(id)
    if (fails) throw Object.assign(new Error('Ana Doe has no report'), { code: 'NO_REPORT' })
  })
  await app.jobs.work()
  await report(app, 'Acme')
  for (let retries = 0; retries < 6; retries++) {
    await jobIs(db, 'retry', { retries })
    await hurry(db)
  }
  const { id } = await jobIs(db, 'created', { name: 'job_dead' })
  const [row] = await db.execute(sql`select string_agg(job::text, ' ') as all from pgboss.job`)
  t.match(row?.all, 'NO_REPORT')
  t.notMatch(row?.all, 'Ana Doe', 'the message may quote what is personal')

  fails = false
  const { boss } = await app.queues.open()
  await boss.redrive('job_dead', { ids: [id] })
  await wake(db, 'job')
  await jobIs(db, 'completed')
  t.equal(ids.size, 1)
})

t.test('one that only another version knows is tried again', async (t) => {
  const { app, db } = await startApp(t)
  await app.jobs.work()
  const { boss } = await app.queues.open()
  await boss.send('job', { job: 'of_tomorrow' })
  t.match(await jobIs(db, 'retry'), { output: { code: 'UNKNOWN_JOB' } })
})

t.test('another process takes over the job of one that was killed', async (t) => {
  const { app, db, url } = await startApp(t)
  const reported = new Promise((resolve) => defineReport(app, async ({ about }) => resolve(about)))
  const env = { ...process.env, NODE_ENV: 'test', DATABASE_URL: url }
  const doomed = fork(fileURLToPath(new URL('worker.ts', import.meta.url)), { env })
  t.teardown(() => doomed.kill('SIGKILL'))
  await report(app, 'Acme')
  await once(doomed, 'message')
  doomed.kill('SIGKILL')

  await app.jobs.work()
  // what every worker does on its own every ten seconds
  await db.execute(sql`update pgboss.job set heartbeat_on = now() - interval '1 minute' where state = 'active'`)
  const boss = await new PgBoss({ connectionString: url, migrate: false, supervise: false, schedule: false }).start()
  await boss.supervise()
  await boss.stop({ graceful: false })
  await hurry(db)
  t.equal(await reported, 'Acme')
})

t.test('a shutdown tells a job to stop, which is tried again', async (t) => {
  const { app, url } = await startApp(t)
  const begun = Promise.withResolvers<void>()
  defineReport(app, async (_data, { signal }) => {
    begun.resolve()
    await once(signal, 'abort')
    signal.throwIfAborted()
  })
  await app.jobs.work()
  await report(app, 'Acme')
  await begun.promise
  const { app: next } = await startApp(t, { DATABASE_URL: url })
  await app.close()
  t.match(await jobIs(next.db, 'retry'), { output: { code: 'AbortError' } })
})

t.test('a deleted user takes the jobs with their address along', async (t) => {
  const { app, db } = await startApp(t)
  defineReport(app, async () => {})
  const { browser, person } = await signedUp(app)
  for (const email of [person.email, 'others@example.com'])
    await db.transaction((tx) => app.jobs.queue(tx, 'report', { about: 'a person', email }))
  await browser.submit('DELETE', '/users', { password_challenge: password })
  t.match(await jobsIn(db), [{ data: { email: 'others@example.com' } }])
  t.equal((await jobsIn(db)).length, 1)
})
