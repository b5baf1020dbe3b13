import { sql } from 'drizzle-orm'
import { fromDrizzle } from 'pg-boss'
import t from 'tap'
import { backlogOf } from '../../../plugins/jobs/queues.ts'
import { createDatabase } from '../../helpers/database.ts'
import { defineReport, jobsIn, startJobs, untilJob, wake } from '../../helpers/jobs.ts'

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
