import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import t from 'tap'
import type { Database } from '../../../plugins/database/index.ts'
import { startApp } from '../../helpers/app.ts'
import { wake } from '../mail/jobs.ts'
import './report.ts'

const yearly = '0 0 1 1 *' // so that nothing runs by itself

const schedulesIn = async (db: Database) => {
  const rows = await db.execute<{ key: string; cron: string }>(sql`select key, cron from pgboss.schedule`)
  return Object.fromEntries(rows.map(({ key, cron }) => [key, cron]))
}

t.test('a job with a time is scheduled, with its present time, and what nobody defines any more is not', async (t) => {
  const { app, db } = await startApp(t)
  const { boss } = await app.queues.open()
  await boss.schedule('cron', '1 1 1 1 *', { job: 'of_yesterday' }, { key: 'of_yesterday' })
  await boss.schedule('cron', '2 2 2 2 *', { job: 'nightly' }, { key: 'nightly' })
  app.jobs.define('nightly', { cron: yearly, work: async () => {} })
  await app.jobs.work()
  const schedules = await schedulesIn(db)
  t.equal(schedules.nightly, yearly)
  t.notOk('of_yesterday' in schedules)
})

t.test('it runs once, however many ask, and puts back what an older version took from the schedule', async (t) => {
  const { app, db } = await startApp(t)
  let runs = 0
  let running = 0
  const release = Promise.withResolvers<void>()
  app.jobs.define('nightly', {
    cron: yearly,
    async work() {
      runs++
      running++
      t.equal(running, 1)
      await release.promise
      running--
    },
  })
  await app.jobs.work()
  const { boss } = await app.queues.open()
  await boss.unschedule('cron', 'nightly')
  const ask = () => db.transaction((tx) => app.jobs.queue(tx, 'nightly', {}))
  await Promise.all([ask(), ask(), ask()])
  while (runs === 0) await sleep(20)
  await ask()
  release.resolve()
  while ((await db.execute(sql`select from pgboss.job where name = 'cron' and state < 'completed'`)).length > 0)
    await sleep(20)
  t.equal(runs, 1)
  t.equal((await schedulesIn(db)).nightly, yearly)
})

t.test('a run that fails, or is ended by a shutdown, is tried again', async (t) => {
  const { app, db } = await startApp(t)
  let runs = 0
  app.jobs.define('nightly', {
    cron: yearly,
    async work() {
      if (++runs === 1) throw new Error('ended')
    },
  })
  await app.jobs.work()
  await db.transaction((tx) => app.jobs.queue(tx, 'nightly', {}))
  const inState = (state: string) =>
    db.execute(sql`update pgboss.job set start_after = now() where name = 'cron' and state = ${state} returning id`)
  while ((await inState('retry')).length === 0) await sleep(20)
  await wake(db, 'cron')
  while ((await inState('completed')).length === 0) await sleep(20)
  t.equal(runs, 2)
})
