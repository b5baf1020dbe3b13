import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { activities, users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { password, sharedPerson, signedIn, signedUp } from '../helpers/people.ts'
import { forgetMails, linksIn, queuedMails } from '../helpers/records.ts'
import { startSmtp } from '../helpers/smtp.ts'

const firefox = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0'
const told = ['new_sign_in']

t.test("a sign-in with a new browser is mailed to the person's verified address", async (t) => {
  const smtp = await startSmtp(t)
  const { app, db } = await startApp(t, smtp.environment)
  const { person, user } = await signedUp(app)
  await forgetMails(db)
  await signedIn(app, person)
  t.same(await queuedMails(db), [], 'not while nobody has proved the address')

  await db.update(users).set({ verified: true })
  const signInWith = async (userAgent: string) =>
    (await Browser.open(app, { userAgent })).submit('POST', '/sign_in', person)
  await signInWith(firefox)
  const [job] = await queuedMails(db)
  t.same(Object.keys(job ?? {}).sort(), ['activityId', 'mail'])
  await app.jobs.startWorkers()
  const mail = await smtp.next()
  t.equal(mail.subject, 'New sign-in to Acme Accounts')
  t.equal(mail.to?.[0]?.address, person.email)
  t.match(mail.text, new RegExp(`Hello ${user.name},`))
  t.match(mail.text, /^Time: \w+ \d+, \d{4} at \d+:\d+:\d+\s[AP]M UTC\nDevice: Firefox on macOS\nIP address: [\d.]+$/m)
  const links = ['/', '/settings/password', '/settings/sessions'].map((path) => `http://localhost:3000${path}`)
  t.same(linksIn(mail.html), links, 'none that acts')
  await signInWith('')
  t.match((await smtp.next()).text, /^Device: Unknown browser$/m)
})

/** The mails after another sign-in with this browser. */
async function mailsAfter(db: Database, browser: Browser, person: { email: string; password: string }) {
  const { session } = (await browser.visit('/settings/sessions')).props.auth
  if (session) await browser.submit('DELETE', `/sessions/${session.id}`)
  await forgetMails(db)
  const { email, password } = person
  t.equal((await browser.submit('POST', '/sign_in', { email, password })).component, 'accounts/show')
  return (await queuedMails(db)).map(({ mail }) => mail)
}

t.test('a known browser and the sign-up itself send no mail', async (t) => {
  const { app, db, browser, person } = await sharedPerson(t)
  await db.update(users).set({ verified: true })
  t.same(await mailsAfter(db, browser, person), [])
  const other = await Browser.open(app)
  t.same(await mailsAfter(db, other, person), told)
  t.same(await mailsAfter(db, other, person), [], 'from the second time on')
  const second = await signedUp(app)
  t.same(await mailsAfter(db, second.browser, person), told, 'a browser that knows others is new to this one')
})

t.test('after a password change elsewhere, a known browser counts as new', async (t) => {
  const { app, db, browser, person } = await sharedPerson(t)
  const other = await signedIn(app, person)
  await db.update(users).set({ verified: true })
  const fresh = 'a fresh new password'
  const words = { password: fresh, password_confirmation: fresh, password_challenge: password }
  await other.browser.submit('PATCH', '/settings/password', words)
  const changed = { ...person, password: fresh }
  t.same(await mailsAfter(db, browser, changed), told)
  t.same(await mailsAfter(db, browser, changed), [], 'once')
  t.same(await mailsAfter(db, other.browser, changed), [], 'and never where it was changed')
})

t.test('a wrong password for a known address is recorded once an hour per client', async (t) => {
  const { app, db, person, user } = await sharedPerson(t)
  const clients = ['203.0.113.50', '203.0.113.51']
  const guess = (email: string) =>
    Promise.all([...clients, ...clients].map((ip) => signedIn(app, { email, password: 'wrong' }, ip)))
  await guess('nobody@example.com')
  await guess(person.email)
  await refusals(db, 2)
  await guess(person.email)
  await settled(app)
  const rows = await refusals(db, 2)
  t.equal(rows.length, 2)
  t.same(new Set(rows.map(({ ipAddress }) => ipAddress)), new Set(clients))
  for (const row of rows) t.match(row, { userId: user.id, actorId: null, actorName: null, userAgent: /Chrome/ })

  await db.update(activities).set({ createdAt: sql`created_at - interval '61 minutes'` })
  await guess(person.email)
  t.equal((await refusals(db, 4)).length, 4)
})

/** Waits until that many are recorded, since it happens after the response. */
async function refusals(db: Database, count: number) {
  for (;;) {
    const rows = await db.select().from(activities).where(eq(activities.type, 'sign_in_refused'))
    if (rows.length >= count) return rows
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Waits for earlier queries on all connections of the pool. */
async function settled({ db }: { db: Database }) {
  for (let turn = 0; turn < 20; turn++) await Promise.all([1, 2, 3, 4, 5, 6].map(() => db.execute(sql`select 1`)))
}
