import { sql } from 'drizzle-orm'
import t from 'tap'
import { connectQueues, createQueues } from '../../plugins/queues/queues.ts'
import { startAcme } from '../helpers/accounts.ts'
import { sharedApp, startApp } from '../helpers/app.ts'
import { password, signedUp, verify } from '../helpers/people.ts'
import { startSmtp } from '../helpers/smtp.ts'

const jobs = sql`select data, state from pgboss.job where data->>'mail' = 'user_deleted'`

t.test('before leaving, one sees which workspaces go along, and who takes over the others', async (t) => {
  const { app } = await sharedApp(t)
  const { owner, join } = await startAcme(app)
  const admin = await join('admin')
  const visit = { 'x-inertia-partial-component': 'settings/profile', 'x-inertia-partial-data': 'departure' }
  const departure = async (browser: typeof owner.browser) =>
    (await browser.visit('/settings/profile', visit)).props.departure
  t.equal((await owner.browser.visit('/settings/profile')).props.departure, undefined, 'only when it is asked for')
  t.same(await departure(owner.browser), {
    deleted: [{ name: owner.user.name }],
    inherited: [{ name: 'Acme', successor: admin.user.name }],
  })
  t.same(await departure(admin.browser), { deleted: [{ name: admin.user.name }], inherited: [] })
})

t.test('a mail to a verified address confirms it, and nothing of it is kept', async (t) => {
  const smtp = await startSmtp(t)
  const { app, db } = await startApp(t, smtp.environment)
  const { browser, person, user } = await signedUp(app)
  await verify(db, user.id)
  await browser.submit('DELETE', '/users', { password_challenge: password })
  t.match(await db.execute(jobs), [{ data: { email: person.email } }])
  await app.mail.work()
  let mail = await smtp.next()
  while (mail.subject !== 'Your account has been deleted') mail = await smtp.next()
  t.equal(mail.recipient, person.email)
  while ((await db.execute(jobs)).length > 0) await new Promise((resolve) => setTimeout(resolve, 20))
})

t.test('an address that was never proved gets no mail', async (t) => {
  const { app, db } = await sharedApp(t)
  const { browser } = await signedUp(app)
  await browser.submit('DELETE', '/users', { password_challenge: password })
  t.same([...(await db.execute(jobs))], [])
})

t.test('what is left of one that could not be sent goes with the next sweep', async (t) => {
  const { app, db, config } = await startApp(t)
  await createQueues(config.queue.address, 'postgres', {})
  await db.execute(sql`
    insert into pgboss.job (name, data, created_on) values
      ('mail_dead', '{"mail": "user_deleted", "email": "ana@example.com"}', now() - interval '1 hour'),
      ('mail_dead', '{"mail": "user_deleted", "email": "new@example.com"}', now())`)
  const { boss, close } = await connectQueues(config.queue.address)
  t.teardown(close)
  await boss.send('cron', { job: 'discard_mails' })
  await app.jobs.work()
  while ((await db.execute(jobs)).length > 1) await new Promise((resolve) => setTimeout(resolve, 20))
  t.match(await db.execute(jobs), [{ data: { email: 'new@example.com' } }])
})

t.test('after an hour it is not sent any more, and nothing of it is kept', async (t) => {
  const smtp = await startSmtp(t)
  const { app, db } = await startApp(t, smtp.environment)
  const { browser, user } = await signedUp(app)
  await verify(db, user.id)
  await browser.submit('DELETE', '/users', { password_challenge: password })
  await db.execute(sql`update pgboss.job set created_on = created_on - interval '1 hour' where name = 'mail'`)
  await app.mail.work()
  while ((await db.execute(jobs)).length > 0) await new Promise((resolve) => setTimeout(resolve, 20))
})
