import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { fromDrizzle } from 'pg-boss'
import t, { type Test } from 'tap'
import { connect } from '../../plugins/database/index.ts'
import { backlogOf } from '../../plugins/jobs/queues.ts'
import { pollSeconds } from '../../plugins/jobs/worker.ts'
import { addressOf } from '../helpers/address.ts'
import { childEnvironment } from '../helpers/children.ts'
import { createDatabase } from '../helpers/database.ts'
import { defineReport, jobsIn, retryNow, startJobs, untilJob, wake } from '../helpers/jobs.ts'

/** A connection that outlives the application. */
function connected(t: Test, url: string) {
  const db = connect(addressOf(url), 1)
  t.teardown(() => db.close())
  return db
}

t.test('a job runs after the commit or at its time, and never after a rollback', async (t) => {
  const { app, db } = await startJobs(t)
  const done: string[] = []
  const report = defineReport(app, async ({ about }) => done.push(about))
  const startAfter = new Date(Date.now() + 86_400_000)
  await db.transaction((tx) => app.jobs.queue(tx, 'report', { about: 'tomorrow' }, { startAfter }))
  await app.jobs.startWorkers()
  await t.rejects(
    db.transaction(async (tx) => {
      await app.jobs.queue(tx, 'report', { about: 'a rollback' })
      throw new Error('rolled back')
    }),
  )
  await report('a commit')
  await untilJob(db, { state: 'completed' })
  t.same(done, ['a commit'])
  const states = (await jobsIn(db)).map(({ state }) => state)
  t.same(states, ['created', 'completed'])
})

t.test('with a queue in another database, a job is added after the commit', async (t) => {
  const { app, db } = await startJobs(t, { queueUrl: await createDatabase(t) })
  const ran = Promise.withResolvers<string>()
  const report = defineReport(app, async ({ about }) => ran.resolve(about))
  await app.jobs.startWorkers()
  await report('Acme')
  t.equal(await ran.promise, 'Acme')
  t.same(await jobsIn(db), [])
})

t.test('an unreachable queue does not undo the commit, and is logged', async (t) => {
  const { app, lines } = await startJobs(t, { queueUrl: 'postgres://localhost:1/nothing' })
  const report = defineReport(app, async () => {})
  await report('Acme')
  const error = lines.find(({ level }) => level === 50)
  t.equal(error?.msg, 'the job report was not queued')
})

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

t.test('one that only another version knows is tried again', async (t) => {
  const { app, db } = await startJobs(t)
  const boss = await app.jobs.boss()
  await boss.send('jobs', { job: 'of_tomorrow' })
  await app.jobs.startWorkers()
  t.match(await untilJob(db, { state: 'retry' }), { output: { code: 'UNKNOWN_JOB' } })
})

t.test('a scheduled job runs on time and on demand, and undefined jobs are not scheduled', async (t) => {
  const { app, db } = await startJobs(t)
  let runs = 0
  app.jobs.define('nightly', { cron: '0 3 * * *', work: async () => runs++ })
  const boss = await app.jobs.boss()
  await boss.schedule('jobs', '0 4 * * *', { job: 'of_yesterday' }, { key: 'of_yesterday' })
  await boss.createQueue('sweep') // of 0.2.0
  await boss.schedule('sweep', '17 * * * *')
  await app.jobs.startWorkers()
  const { rows } = await db.execute(sql`select key, cron, data from pgboss.schedule`)
  t.same(rows, [{ key: 'nightly', cron: '0 3 * * *', data: { job: 'nightly' } }])
  await app.jobs.run('nightly')
  t.equal(runs, 1)
})

t.test('another process takes over the job of one that was killed', async (t) => {
  const url = await createDatabase(t)
  const worker = fileURLToPath(new URL('../helpers/job-worker.ts', import.meta.url))
  const resolution = `--import=${new URL('../../server/resolution.js', import.meta.url)}`
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

t.test('a private job leaves nothing behind, whether it was done or given up', async (t) => {
  const { app, db } = await startJobs(t)
  const work = async ({ about }: { about: string }) => {
    if (about === 'broken') throw new Error('broken')
  }
  app.jobs.define('report', { isPrivate: true, work })
  await app.jobs.startWorkers()
  for (const about of ['fine', 'broken']) {
    await db.transaction((tx) => app.jobs.queue(tx, 'report', { about, email: 'ana@example.com' }))
    if (about === 'broken') await untilJob(db, { state: 'retry', retry_count: 0 })
    await db.execute(
      sql`update pgboss.job set retry_count = retry_limit - 1, start_after = now() where state = 'retry'`,
    )
    while ((await jobsIn(db)).length > 0) await wake(db, 'private_jobs')
  }
  const { rows } = await db.execute(sql`select retention_seconds from pgboss.queue where name = 'private_jobs'`)
  t.same(rows, [{ retention_seconds: 3600 }])
})

t.test('a finished job is deleted within a day, one that was given up after 30', async (t) => {
  const { app, db } = await startJobs(t)
  const report = defineReport(app, async ({ about }) => {
    if (about === 'broken') throw new Error('broken')
  })
  for (const about of ['fine', 'broken']) await report(about)
  await db.execute(sql`update pgboss.job set retry_limit = 0`)
  await app.jobs.startWorkers()
  await untilJob(db, { state: 'completed' })
  await untilJob(db, { name: 'dead_jobs' })
  const after = async (days: number) => {
    await db.execute(sql`
      update pgboss.job set completed_on = completed_on - make_interval(days => ${days}),
        keep_until = keep_until - make_interval(days => ${days})`)
    await db.execute(sql`update pgboss.queue set maintain_on = null`)
    await (await app.jobs.boss()).supervise()
    return (await jobsIn(db)).map(({ name }) => name)
  }
  t.same(await after(1), ['dead_jobs'])
  t.same(await after(28), ['dead_jobs'])
  t.same(await after(1), [])
})

t.test('among many finished jobs, the backlog and the jobs of a deleted user are found by an index', async (t) => {
  const url = await createDatabase(t)
  const { app, db, lines } = await startJobs(t, { url })
  await db.execute(sql`drop index pgboss.job_email`)
  const other = await startJobs(t, { url })
  await Promise.all([app, other.app].map(({ jobs }) => jobs.boss()))
  t.same(
    [...lines, ...other.lines].filter(({ level }) => level === 50),
    [],
  )
  await db.execute(sql`
    insert into pgboss.job (name, state, data)
    select 'jobs', 'completed', jsonb_build_object('job', 'report', 'email', n || '@example.com')
    from generate_series(1, 20000) n`)
  await db.execute(sql`analyze pgboss.job`)
  await db.transaction(async (tx) => {
    // Counts what this connection did before, too.
    const sequentialScans = async () => {
      const { rows } = await tx.execute(sql`select seq_scan from pg_stat_xact_user_tables where relname = 'job_common'`)
      return rows[0]?.seq_scan
    }
    const before = await sequentialScans()
    t.same(await backlogOf(fromDrizzle(tx, sql)), { waiting: 0, dead: 0, oldestSeconds: 0 })
    await app.jobs.forget(tx, ['7@example.com', 'ana@example.com'])
    t.equal(await sequentialScans(), before)
  })
  const { rows } = await db.execute(sql`select from pgboss.job where data->>'email' = '7@example.com'`)
  t.same(rows, [])
})
