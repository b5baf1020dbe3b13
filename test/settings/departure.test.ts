import { sql } from 'drizzle-orm'
import t from 'tap'
import { startApp } from '../helpers/app.ts'
import { password, sharedAcme, sharedPerson, signedUp, verify } from '../helpers/people.ts'
import { startSmtp } from '../helpers/smtp.ts'

const jobs = sql`select data, state from pgboss.job where data->>'job' = 'user_deleted'`

t.test('before leaving, one sees which workspaces go along, and who takes over the others', async (t) => {
  const { owner, join } = await sharedAcme(t)
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
  t.match((await db.execute(jobs)).rows, [{ data: { email: person.email } }])
  await app.jobs.work()
  let mail = await smtp.next()
  while (mail.subject !== 'Your account has been deleted') mail = await smtp.next()
  t.equal(mail.recipient, person.email)
  while ((await db.execute(jobs)).rows.length > 0) await new Promise((resolve) => setTimeout(resolve, 20))
})

t.test('an address that was never proved gets no mail', async (t) => {
  const { db, browser } = await sharedPerson(t)
  await browser.submit('DELETE', '/users', { password_challenge: password })
  t.same([...(await db.execute(jobs)).rows], [])
})
