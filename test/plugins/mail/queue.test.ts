import t from 'tap'
import { migrateQueue } from '../../../drizzle/migrate.ts'
import { connect, observeQueries, type Queries } from '../../../plugins/database/index.ts'
import { addressOf } from '../../helpers/address.ts'
import { startApp } from '../../helpers/app.ts'
import { createDatabase } from '../../helpers/database.ts'
import { startSmtp } from '../../helpers/smtp.ts'
import { jobIs, jobsIn, nextTry } from './jobs.ts'
import { defineGreeting, greet } from './mails.ts'

async function statementsOf(work: () => Promise<unknown>) {
  const observed: Queries = { count: 0, ms: 0, running: new Set() }
  await new Promise((resolve, reject) => observeQueries(observed, () => work().then(resolve, reject)))
  return observed.count
}

t.test('a queued mail is delivered, and notifies an idle worker', async (t) => {
  const smtp = await startSmtp(t)
  const { app } = await startApp(t, smtp.environment)
  defineGreeting(app)
  await app.mail.work()

  await greet(app, 'ana@example.com')
  t.equal((await smtp.next()).recipient, 'ana@example.com')
  await greet(app, 'bob@example.com') // polling would take longer than the test waits
  t.equal((await smtp.next()).recipient, 'bob@example.com')
})

t.test('a rolled back transaction leaves no job', async (t) => {
  const { app, db } = await startApp(t)
  defineGreeting(app)
  const work = db.transaction(async (tx) => {
    await app.mail.queue(tx, 'greeting', { to: 'ana@example.com' })
    throw new Error('something else went wrong')
  })
  await t.rejects(work, /something else/)
  t.same(await jobsIn(db), [])
})

t.test('a mail adds one statement to a transaction', async (t) => {
  const { app, db } = await startApp(t)
  defineGreeting(app)
  await greet(app) // opens the queue

  const empty = await statementsOf(() => db.transaction(async () => {}))
  t.equal((await statementsOf(() => greet(app))) - empty, 1)
  t.equal((await jobsIn(db)).length, 2)
})

t.test("a job contains the mail's name and its ids, nothing else", async (t) => {
  const { app, db } = await startApp(t)
  defineGreeting(app)
  await greet(app)
  t.match(await jobsIn(db), [{ name: 'mail', data: { mail: 'greeting', to: 'ana@example.com' } }])
  t.same(Object.keys((await jobsIn(db))[0]?.data ?? {}).sort(), ['mail', 'to'])
})

t.test('a mail that no feature defines cannot be queued', async (t) => {
  const { app, db } = await startApp(t)
  await t.rejects(greet(app), /no feature defines the mail greeting/)
  t.same(await jobsIn(db), [])
})

t.test('a mail that only a newer process defines waits for it', async (t) => {
  const { app, db, url } = await startApp(t)
  defineGreeting(app)
  await greet(app)
  const { app: next } = await startApp(t, { DATABASE_URL: url })
  await next.mail.work()
  await nextTry(db)
  t.match(await jobsIn(db), [{ state: 'retry', output: { code: 'UNKNOWN_MAIL' } }])
})

t.test('a mail that is no longer needed is dropped silently', async (t) => {
  const smtp = await startSmtp(t)
  const { app, db } = await startApp(t, smtp.environment)
  app.mail.define('greeting', { compose: async () => undefined })
  await app.mail.work()
  await greet(app)
  await jobIs(db, 'completed')
  t.same(smtp.tries, [])
})

t.test('jobs in a separate database', async (t) => {
  const smtp = await startSmtp(t)
  const queueUrl = await createDatabase(t)
  const queueDb = connect(addressOf(queueUrl), 1)
  t.teardown(() => queueDb.$client.end())
  const { app, db } = await startApp(t, { ...smtp.environment, QUEUE_URL: queueUrl })
  defineGreeting(app)

  await t.test('do not exist before the commit, nor after a rollback', async (t) => {
    const work = db.transaction(async (tx) => {
      await app.mail.queue(tx, 'greeting', { to: 'ana@example.com' })
      t.same(await jobsIn(queueDb), [])
      throw new Error('something else went wrong')
    })
    await t.rejects(work, /something else/)
    t.same(await jobsIn(queueDb), [])
  })

  await t.test('are delivered after the commit', async (t) => {
    await greet(app)
    t.same(await jobsIn(db), [])
    t.equal((await jobsIn(queueDb)).length, 1)
    await app.mail.work()
    t.equal((await smtp.next()).recipient, 'ana@example.com')
  })
})

t.test('a queue of another profile is installed for it, and delivers', async (t) => {
  for (const [QUEUE_PROFILE, kind] of [
    ['citus', 'p'],
    ['yugabytedb', 'r'], // which has no partitioned tables
  ] as const) {
    const smtp = await startSmtp(t)
    const queueUrl = await createDatabase(t)
    const queueDb = connect(addressOf(queueUrl), 1)
    t.teardown(() => queueDb.$client.end())
    await queueDb.execute('drop schema pgboss cascade')
    await migrateQueue(addressOf(queueUrl), () => {}, QUEUE_PROFILE)
    const [job] = await queueDb.execute(`select relkind from pg_class where oid = 'pgboss.job'::regclass`)
    t.equal(job?.relkind, kind)
    const { app } = await startApp(t, { ...smtp.environment, QUEUE_URL: queueUrl, QUEUE_PROFILE })
    defineGreeting(app)
    await app.mail.work()
    await greet(app)
    t.equal((await smtp.next()).recipient, 'ana@example.com')
  }
})

t.test('an unreachable queue does not undo the commit', async (t) => {
  const { app } = await startApp(t, { QUEUE_URL: 'postgres://nobody@127.0.0.1:1/nothing' })
  defineGreeting(app)
  const result = await app.db.transaction(async (tx) => {
    await app.mail.queue(tx, 'greeting', { to: 'ana@example.com' })
    return 'committed'
  })
  t.equal(result, 'committed')
})
