import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { PgBoss } from 'pg-boss'
import t from 'tap'
import { startApp } from '../../helpers/app.ts'
import { startSmtp } from '../../helpers/smtp.ts'
import { jobIs, retryNow } from './jobs.ts'
import { defineGreeting, greet } from './mails.ts'

t.test('another process takes over the mail of one that was killed', async (t) => {
  const smtp = await startSmtp(t)
  const { app, db, url } = await startApp(t, smtp.environment)
  defineGreeting(app)
  smtp.hold()

  const env = { ...process.env, NODE_ENV: 'test', DATABASE_URL: url, ...smtp.environment }
  const doomed = fork(fileURLToPath(new URL('worker.ts', import.meta.url)), { env })
  t.teardown(() => doomed.kill('SIGKILL'))
  await greet(app)
  await smtp.tried(1)
  doomed.kill('SIGKILL')
  smtp.accept()

  await app.mail.work()
  await noticeDeath(url)
  await smtp.next()
  await jobIs(db, 'completed')
  t.equal(smtp.mails.length, 1)

  // what every worker does on its own every ten seconds
  async function noticeDeath(connectionString: string) {
    await db.execute(sql`update pgboss.job set heartbeat_on = now() - interval '1 minute' where state = 'active'`)
    const boss = await new PgBoss({ connectionString, migrate: false, supervise: false, schedule: false }).start()
    await boss.supervise()
    await boss.stop({ graceful: false })
    await retryNow(db)
  }
})
