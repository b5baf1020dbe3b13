import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import t from 'tap'
import { startApp } from '../../helpers/app.ts'
import { startSmtp } from '../../helpers/smtp.ts'
import { defineReport, report } from '../jobs/report.ts'
import { hurry, jobIs, nextTry, wake } from './jobs.ts'
import { defineGreeting, greet } from './mails.ts'

const script = fileURLToPath(new URL('../../../commands/jobs.ts', import.meta.url))

/** Runs `npm run jobs`. Returns its output and exit code. */
const jobs = (url: string, ...args: string[]) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const env = { ...process.env, NODE_ENV: 'development', DATABASE_URL: url }
    const child = execFile(process.execPath, [script, ...args], { env }, (_error, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    )
  })

t.test('an operator sees waiting and dead mails, and queues them again', async (t) => {
  const smtp = await startSmtp(t)
  const { app, db, url } = await startApp(t, smtp.environment)
  defineGreeting(app)

  await t.test('nothing', async (t) => {
    t.match(await jobs(url), { code: 0, out: /^0 queued, 0 failed and waiting for the next try, 0 dead\n$/ })
  })

  await t.test('a queued mail', async (t) => {
    await greet(app)
    const { code, out } = await jobs(url)
    t.equal(code, 0)
    t.match(out, /^1 queued, 0 failed/)
    t.match(out, /queued +greeting +0 .*{"to":"ana@example.com"}/)
  })

  await t.test('a failed mail, which can be retried at once', async (t) => {
    smtp.refuse(451)
    await app.mail.work()
    await nextTry(db)
    const { out } = await jobs(url)
    t.match(out, /failed +greeting +1 .*EENVELOPE 451/)

    const id = /^[\da-f-]{36}/m.exec(out)?.[0] ?? ''
    t.match(await jobs(url, 'retry', id), { code: 0, out: 'The job is tried again.\n' })
    await smtp.tried(2)
  })

  await t.test('a dead mail, which is delivered once when queued again', async (t) => {
    smtp.refuse(550)
    await nextTry(db)
    await hurry(db)
    await jobIs(db, 'created', { name: 'mail_dead' })
    t.match((await jobs(url)).out, /dead +greeting +3 .*EENVELOPE 550/)

    smtp.accept()
    t.match(await jobs(url, 'retry'), { code: 0, out: '1 job is queued again.\n' })
    await wake(db)
    await smtp.next()
    await jobIs(db, 'completed')
    t.equal(smtp.mails.length, 1)
    t.match((await jobs(url, 'retry')).out, '0 jobs are queued again.')
  })

  await t.test('a dead mail by its id', async (t) => {
    smtp.refuse(550)
    await greet(app)
    await jobIs(db, 'created', { name: 'mail_dead' })
    smtp.accept()
    const id = /^[\da-f-]{36}/m.exec((await jobs(url)).out)?.[0] ?? ''
    t.match(await jobs(url, 'retry', id), { code: 0 })
    await wake(db)
    await smtp.next()
  })

  await t.test('a job of a feature', async (t) => {
    defineReport(app, async () => {})
    await report(app, 'Acme')
    const { out } = await jobs(url)
    t.match(out, /^1 queued, 0 failed/)
    t.match(out, /queued +report +0 .*{"about":"Acme"}/)
    const id = /^[\da-f-]{36}(?= +queued +report)/m.exec(out)?.[0] ?? ''
    t.match(await jobs(url, 'retry', id), { code: 0, out: 'The job is tried again.\n' })
  })
})

t.test('before the first start, an operator is told what creates the queue', async (t) => {
  const { db, url } = await startApp(t)
  await db.execute(sql`drop schema pgboss cascade`)
  const found = await jobs(url)
  t.equal(found.code, 1)
  t.match(found.err, 'The queue cannot be read: the application creates it when it first starts')
})

t.test('invalid arguments are reported', async (t) => {
  const { url } = await startApp(t)
  t.match(await jobs(url, 'retry', 'x'), { code: 1, out: 'No job with the ID x.\n' })
  t.match(await jobs(url, 'retry', '00000000-0000-4000-8000-000000000000'), { code: 1, out: /No job with the ID/ })
  t.match(await jobs(url, 'delete'), { code: 2, err: /^Usage:/ })
  t.match(await jobs('postgres://nobody@127.0.0.1:1/nothing'), {
    code: 1,
    err: 'The queue cannot be read: ECONNREFUSED\n',
  })
  t.match(await jobs('nonsense'), { code: 1, err: /^DATABASE_URL must be/ })
})
