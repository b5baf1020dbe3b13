import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { connect } from '../../plugins/database/index.ts'
import { addressOf } from '../helpers/address.ts'
import { childEnvironment } from '../helpers/children.ts'
import { createDatabase } from '../helpers/database.ts'
import { defineReport, jobsIn, retryNow, startJobs, untilJob, wake } from '../helpers/jobs.ts'

t.test('a job runs after the commit, and never after a rollback', async (t) => {
  const { app, db } = await startJobs(t)
  const done: string[] = []
  const report = defineReport(app, async ({ about }) => done.push(about))
  await app.jobs.work()
  await t.rejects(
    db.transaction(async (tx) => {
      await app.jobs.queue(tx, 'report', { about: 'a rollback' })
      throw new Error('rolled back')
    }),
  )
  await report('a commit')
  await untilJob(db, { state: 'completed' })
  t.same(done, ['a commit'])
  t.equal((await jobsIn(db)).length, 1)
})

t.test('one for later waits until then', async (t) => {
  const { app, db } = await startJobs(t)
  const report = defineReport(app, async () => {})
  const startAfter = new Date(Date.now() + 86_400_000)
  await db.transaction((tx) => app.jobs.queue(tx, 'report', { about: 'tomorrow' }, { startAfter }))
  await app.jobs.work()
  await report('today')
  await untilJob(db, { state: 'completed' })
  const states = (await jobsIn(db)).map(({ state }) => state)
  t.same(states, ['created', 'completed'])
})

t.test('with a queue in another database, a job is added after the commit', async (t) => {
  const { app, db } = await startJobs(t, { queueUrl: await createDatabase(t) })
  const ran = Promise.withResolvers<string>()
  const report = defineReport(app, async ({ about }) => ran.resolve(about))
  await app.jobs.work()
  await report('Acme')
  t.equal(await ran.promise, 'Acme')
  t.same(await jobsIn(db), [])
})

t.test('an unreachable queue does not undo the commit, and is logged', async (t) => {
  const { app, lines } = await startJobs(t, { queueUrl: 'postgres://localhost:1/nothing' })
  const report = defineReport(app, async () => {})
  await report('Acme')
  t.match(
    lines.find(({ level }) => level === 50),
    { msg: 'the job report was not queued' },
  )
})

t.test('one that fails is tried five times under the same id in about an hour, and then kept', async (t) => {
  const { app, db, lines } = await startJobs(t)
  const ids: string[] = []
  const report = defineReport(app, async (_, { id, isLastTry }) => {
    ids.push(id)
    throw new Error(`a secret of ana@example.com, ${isLastTry}`)
  })
  await app.jobs.work()
  await report('Acme')
  const minutes: number[] = []
  for (let tries = 1; tries < 5; tries++) {
    const { start_after } = await untilJob(db, { state: 'retry', retry_count: tries - 1 })
    minutes.push((Date.parse(start_after) - Date.now()) / 60_000)
    await retryNow(db)
  }
  const dead = await untilJob(db, { name: 'dead_jobs' })
  t.equal(ids.length, 5)
  t.equal(new Set(ids).size, 1)
  t.ok(
    minutes.every((each, n) => each > 2.5 * 2 ** n && each < 5.5 * 2 ** n),
    `${minutes}`,
  )
  t.same(dead.data, { job: 'report', about: 'Acme' })
  t.notMatch(JSON.stringify(await jobsIn(db)), /secret/)
  t.equal(lines.at(-1)?.msg, 'job given up')
})

t.test('one that only another version knows is tried again', async (t) => {
  const { app, db } = await startJobs(t)
  const boss = await app.jobs.boss()
  await boss.send('jobs', { job: 'of_tomorrow' })
  await app.jobs.work()
  t.match(await untilJob(db, { state: 'retry' }), { output: { code: 'UNKNOWN_JOB' } })
})

t.test('a scheduled job runs on time and on demand, and undefined jobs are not scheduled', async (t) => {
  const { app, db } = await startJobs(t)
  let runs = 0
  app.jobs.define('nightly', { cron: '0 3 * * *', work: async () => runs++ })
  const boss = await app.jobs.boss()
  await boss.schedule('jobs', '0 4 * * *', { job: 'of_yesterday' }, { key: 'of_yesterday' })
  await app.jobs.work()
  const { rows } = await db.execute(sql`select key, cron, data from pgboss.schedule`)
  t.same(rows, [{ key: 'nightly', cron: '0 3 * * *', data: { job: 'nightly' } }])
  await app.jobs.run('nightly')
  t.equal(runs, 1)
})

t.test('another process takes over the job of one that was killed', async (t) => {
  const url = await createDatabase(t)
  const worker = fileURLToPath(new URL('../helpers/job-worker.ts', import.meta.url))
  const resolution = `--import=${new URL('../../server/resolution.js', import.meta.url)}`
  const start = () =>
    spawn(process.execPath, [resolution, worker], {
      env: { ...childEnvironment(), DATABASE_URL: url },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  const first = start()
  t.teardown(() => first.kill('SIGKILL'))
  await once(first.stdout, 'data') // it works on the job
  first.kill('SIGKILL')

  const db = connect(addressOf(url), 1)
  t.teardown(() => db.close())
  await db.execute(sql`update pgboss.job set heartbeat_on = now() - interval '1 minute' where state = 'active'`)
  const second = start()
  t.teardown(() => second.kill('SIGKILL'))
  await untilJob(db, { state: 'retry' })
  await retryNow(db)
  await once(second.stdout, 'data')
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
  await app.jobs.work()
  await report('Acme')
  await begun.promise
  await app.close()
  const db = connect(addressOf(url), 1)
  t.teardown(() => db.close())
  t.match(await jobsIn(db), [{ state: 'retry' }])
})

t.test('jobs with the address of a deleted user can be deleted with them', async (t) => {
  const { app, db } = await startJobs(t)
  defineReport(app, async () => {})
  for (const email of ['ana@example.com', 'ben@example.com'])
    await db.transaction((tx) => app.jobs.queue(tx, 'report', { about: 'a person', email }))
  await db.transaction((tx) => app.jobs.forget(tx, ['ana@example.com', 'old@example.com']))
  t.match(await jobsIn(db), [{ data: { email: 'ben@example.com' } }])
})

t.test('a private job leaves nothing behind, whether it was done or given up', async (t) => {
  const { app, db } = await startJobs(t)
  let isBroken = false
  app.jobs.define('report', {
    isPrivate: true,
    work: async () => {
      if (isBroken) throw new Error('broken')
    },
  })
  const report = () => db.transaction((tx) => app.jobs.queue(tx, 'report', { about: '', email: 'ana@example.com' }))
  await app.jobs.work()
  await report()
  while ((await jobsIn(db)).length > 0) await wake(db, 'private_jobs')

  isBroken = true
  await report()
  await untilJob(db, { state: 'retry', retry_count: 0 })
  await db.execute(sql`update pgboss.job set retry_count = retry_limit - 1, start_after = now()`)
  while ((await jobsIn(db)).length > 0) await wake(db, 'private_jobs')
  const { rows } = await db.execute(sql`select retention_seconds from pgboss.queue where name = 'private_jobs'`)
  t.same(rows, [{ retention_seconds: 3600 }])
})
