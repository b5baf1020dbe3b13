import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { activities, users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { forgotten, password, sharedPerson, signedIn, signedUp } from '../helpers/people.ts'
import { forgetMails, linksIn, queuedMails } from '../helpers/records.ts'
import { startSmtp } from '../helpers/smtp.ts'
import { recordStatements } from '../helpers/statements.ts'

const firefox = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0'

t.test("a sign-in with a new browser is mailed to the person's verified address", async (t) => {
  const smtp = await startSmtp(t)
  const { app, db } = await startApp(t, smtp.environment)
  const { person, user } = await signedUp(app)
  await forgetMails(db)
  await signedIn(app, person)
  t.same(await queuedMails(db), [], 'not while nobody has proved the address')

  await db.update(users).set({ verified: true })
  const browser = await Browser.open(app, { userAgent: firefox })
  await browser.submit('POST', '/sign_in', { email: person.email, password })
  const [job] = await queuedMails(db)
  t.same(Object.keys(job ?? {}).sort(), ['activityId', 'mail'])
  await app.jobs.work()
  const mail = await smtp.next()
  t.equal(mail.subject, 'New sign-in to Acme Accounts')
  t.equal(mail.to?.[0]?.address, person.email)
  t.match(mail.text, new RegExp(`Hello ${user.name},`))
  t.match(mail.text, /^Time: \w+ \d+, \d{4} at \d+:\d+:\d+\s[AP]M UTC\nDevice: Firefox on macOS\nIP address: [\d.]+$/m)
  const links = ['http://localhost:3000/', 'http://localhost:3000/settings/sessions']
  t.same(linksIn(mail.html), links, 'none that acts')

  const silent = await Browser.open(app, { userAgent: '' })
  await silent.submit('POST', '/sign_in', { email: person.email, password })
  t.match((await smtp.next()).text, /^Device: Unknown browser$/m)
})

t.test('a known browser and the sign-up itself send no mail', async (t) => {
  const { app, db, browser, person, page, user } = await sharedPerson(t)
  await db.update(users).set({ verified: true })
  await forgetMails(db)
  await browser.submit('DELETE', `/sessions/${page.props.auth.session.id}`)
  await browser.submit('POST', '/sign_in', { email: person.email, password })
  t.same(await queuedMails(db), [])

  const other = await signedIn(app, person)
  t.match(await queuedMails(db), [{ mail: 'new_sign_in' }])
  await forgetMails(db)
  await other.browser.submit('DELETE', `/sessions/${other.page.props.auth.session.id}`)
  await other.browser.submit('POST', '/sign_in', { email: person.email, password })
  t.same(await queuedMails(db), [], 'from the second time on')

  await forgotten(app, user.id)
  await forgetMails(db)
  await other.browser.submit('DELETE', '/sessions/none')
  const second = await signedUp(app)
  await second.browser.submit('DELETE', `/sessions/${second.page.props.auth.session.id}`)
  await forgetMails(db)
  await second.browser.submit('POST', '/sign_in', { email: person.email, password: 'a fresh password' })
  t.match(await queuedMails(db), [{ mail: 'new_sign_in' }], 'a browser that knows others is new to this one')
})

t.test('after a password change elsewhere, a known browser counts as new', async (t) => {
  const { app, db, browser, person } = await sharedPerson(t)
  const other = await signedIn(app, person)
  await db.update(users).set({ verified: true })
  const fresh = 'a fresh new password'
  const words = { password: fresh, password_confirmation: fresh, password_challenge: password }
  await other.browser.submit('PATCH', '/settings/password', words)
  const again = (from: Browser) => from.submit('POST', '/sign_in', { email: person.email, password: fresh })

  await leave(db, browser)
  t.equal((await again(browser)).component, 'accounts/show')
  t.match(await queuedMails(db), [{ mail: 'new_sign_in' }])
  await leave(db, browser)
  await again(browser)
  t.same(await queuedMails(db), [], 'once')
  await leave(db, other.browser)
  await again(other.browser)
  t.same(await queuedMails(db), [], 'and never where it was changed')
})

/** Signs out, and forgets the mails of before. */
async function leave(db: Database, browser: Browser) {
  const { session } = (await browser.visit('/settings/sessions')).props.auth
  if (session) await browser.submit('DELETE', `/sessions/${session.id}`)
  await forgetMails(db)
}

t.test('a wrong password for a known address is recorded once an hour per client', async (t) => {
  const { app, db, person, user } = await sharedPerson(t)
  const clients = [await Browser.open(app, { ip: '203.0.113.50' }), await Browser.open(app, { ip: '203.0.113.51' })]
  const guess = (email: string) =>
    Promise.all(
      clients.flatMap((client) => [1, 2].map(() => client.submit('POST', '/sign_in', { email, password: 'wrong' }))),
    )
  await guess('nobody@example.com')
  await guess(person.email)
  await refusals(db, 2)
  await guess(person.email)
  await settled(app)
  const rows = await refusals(db, 2)
  t.match(
    rows.sort((a, b) => `${a.ipAddress}`.localeCompare(`${b.ipAddress}`)),
    ['203.0.113.50', '203.0.113.51'].map((ipAddress) => {
      return {
        type: 'sign_in_refused',
        userId: user.id,
        actorId: null,
        actorName: null,
        ipAddress,
        userAgent: /Chrome/,
      }
    }),
  )
  await db.update(activities).set({ createdAt: sql`created_at - interval '61 minutes'` })
  await guess(person.email)
  t.equal((await refusals(db, 4)).length, 4)
})

t.test('after a wrong password the same statements run, whether the address is known or not', async (t) => {
  const { app, db } = await startApp(t)
  const { person } = await signedUp(app)
  const statements = recordStatements(app.db)
  const sent = async (email: string, ip: string) => {
    const browser = await Browser.open(app, { ip })
    statements.length = 0
    await browser.request('POST', '/sign_in', { body: { email, password: 'wrong' } })
    while (!statements.some((text) => text.includes('insert into "activities"'))) await settled(app)
    // Live updates are cleaned up every few seconds.
    return statements.filter((text) => !/^select 1$|\b(presences|live_\w+)\b/.test(text))
  }
  const known = await sent(person.email, '203.0.113.60')
  t.same(await sent('nobody@example.com', '203.0.113.61'), known)
  t.equal((await db.select().from(activities).where(eq(activities.type, 'sign_in_refused'))).length, 1)
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
