import { sql } from 'drizzle-orm'
import t from 'tap'
import { createDatabase } from '../../helpers/database.ts'
import { defineReport, jobsIn, startJobs, untilJob } from '../../helpers/jobs.ts'

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

t.test('a scheduled job runs on time and on demand, and undefined jobs are not scheduled', async (t) => {
  const { app, db } = await startJobs(t)
  let runs = 0
  app.jobs.define('nightly', { cron: '0 3 * * *', work: async () => runs++ })
  const boss = await app.jobs.boss()
  await boss.schedule('jobs', '0 4 * * *', { job: 'of_yesterday' }, { key: 'of_yesterday' })
  await app.jobs.startWorkers()
  const { rows } = await db.execute(sql`select key, cron, data from pgboss.schedule`)
  t.same(rows, [{ key: 'nightly', cron: '0 3 * * *', data: { job: 'nightly' } }])
  await app.jobs.run('nightly')
  t.equal(runs, 1)
})
