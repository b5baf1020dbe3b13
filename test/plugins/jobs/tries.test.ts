import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { connect } from '../../../plugins/database/index.ts'
import { pollSeconds } from '../../../plugins/jobs/worker.ts'
import { addressOf } from '../../helpers/address.ts'
import { childEnvironment } from '../../helpers/children.ts'
import { createDatabase } from '../../helpers/database.ts'
import { defineReport, jobsIn, retryNow, startJobs, untilJob } from '../../helpers/jobs.ts'

/** A connection that outlives the application. */
function connected(t: Test, url: string) {
  const db = connect(addressOf(url), 1)
  t.teardown(() => db.close())
  return db
}

t.test('one that fails is tried again within half a minute, eight times in about an hour, and then kept', async (t) => {
  const { app, db, lines } = await startJobs(t)
  const ids: string[] = []
  const report = defineReport(app, async (_, { id, isLastTry }) => {
    ids.push(id)
    throw new Error(`a secret of ana@example.com, ${isLastTry}`)
  })
  await app.jobs.startWorkers()
  await report('Acme')
  // The try failed between these two, however busy the machine is.
  const longest: number[] = []
  const shortest: number[] = []
  for (let retry = 0; retry < 8; retry++) {
    const { started_on, start_after } = await untilJob(db, { state: 'retry', retry_count: retry })
    longest.push((Date.parse(start_after) - Date.parse(started_on)) / 1000)
    shortest.push((Date.parse(start_after) - Date.now()) / 1000)
    await retryNow(db)
  }
  const dead = await untilJob(db, { name: 'dead_jobs' })
  t.same(ids, Array(9).fill(ids[0]))
  t.ok(Number(shortest[0]) + pollSeconds <= 30, `the first after ${shortest[0]} s`)
  for (const [retry, seconds] of longest.entries()) t.ok(seconds >= 9 * 2 ** retry, `${longest}`)
  for (const [retry, seconds] of shortest.entries()) t.ok(seconds <= 18 * 2 ** retry, `${shortest}`)
  t.same(dead.data, { job: 'report', about: 'Acme' })
  t.notMatch(JSON.stringify(await jobsIn(db)), /secret/)
  t.equal(lines.at(-1)?.msg, 'job given up')
})

t.test('one that the database refuses keeps the code of Postgres', async (t) => {
  const { app, db } = await startJobs(t)
  const report = defineReport(app, () => db.execute(sql`select 1 / 0`))
  await app.jobs.startWorkers()
  await report('Acme')
  t.match(await untilJob(db, { state: 'retry' }), { output: { code: '22012' } })
})

t.test('how often jobs are tried changes with the version', async (t) => {
  const { app, db } = await startJobs(t)
  await db.execute(sql`update pgboss.queue set retry_limit = 4, retry_delay = 160`)
  const report = defineReport(app, async () => {})
  await report('Acme')
  const { rows } = await db.execute(sql`select retry_limit, retry_delay, dead_letter from pgboss.job`)
  t.same(rows, [{ retry_limit: 8, retry_delay: 9, dead_letter: 'dead_jobs' }])
})

t.test('one that only another version knows is tried again, and in the end dropped with one line', async (t) => {
  const { app, db, lines } = await startJobs(t)
  const boss = await app.jobs.boss()
  await boss.send('jobs', { job: 'of_tomorrow' })
  await app.jobs.startWorkers()
  t.match(await untilJob(db, { state: 'retry' }), { output: { code: 'UNKNOWN_JOB' } })
  await db.execute(sql`update pgboss.job set retry_count = retry_limit - 1`)
  await retryNow(db)
  await untilJob(db, { state: 'completed' })
  t.match(lines.at(-1), { level: 40, msg: 'job dropped: no feature defines it', job: 'of_tomorrow' })
  t.match(await app.jobs.backlog(), { waiting: 0, dead: 0 })
})

t.test('another process takes over the job of one that was killed', async (t) => {
  const url = await createDatabase(t)
  const worker = fileURLToPath(new URL('../../helpers/job-worker.ts', import.meta.url))
  const resolution = `--import=${new URL('../../../server/resolution.js', import.meta.url)}`
  /** Starts a process that works on the job. */
  const start = () => {
    const env = { ...childEnvironment(), DATABASE_URL: url }
    const child = spawn(process.execPath, [resolution, worker], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    t.teardown(() => child.kill('SIGKILL'))
    return { child, begun: once(child.stdout, 'data') }
  }
  const first = start()
  await first.begun
  first.child.kill('SIGKILL')

  const db = connected(t, url)
  await db.execute(sql`update pgboss.job set heartbeat_on = now() - interval '1 minute' where state = 'active'`)
  const second = start()
  await untilJob(db, { state: 'retry' })
  await retryNow(db)
  await second.begun
  t.equal((await jobsIn(db)).length, 1)
})

t.test('a shutdown tells a job to stop, which is tried again', async (t) => {
  const url = await createDatabase(t)
  const { app } = await startJobs(t, { url })
  const begun = Promise.withResolvers<void>()
  const report = defineReport(app, async (_, { signal }) => {
    begun.resolve()
    await once(signal, 'abort')
    throw new Error('stopped')
  })
  await app.jobs.startWorkers()
  await report('Acme')
  await begun.promise
  await app.close()
  const states = (await jobsIn(connected(t, url))).map(({ state }) => state)
  t.same(states, ['retry'])
})
