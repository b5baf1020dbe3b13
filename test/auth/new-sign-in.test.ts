import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { activities, users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { forgotten } from '../helpers/live.ts'
import { forgetMails, queuedMails } from '../helpers/mails.ts'
import { password, signedIn, signedUp } from '../helpers/people.ts'
import { startSmtp } from '../helpers/smtp.ts'

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
  await app.mail.work()
  const mail = await smtp.next()
  t.equal(mail.subject, 'New sign-in to Acme Accounts')
  t.equal(mail.to?.[0]?.address, person.email)
  t.match(mail.text, new RegExp(`Hello ${user.name},`))
  t.match(mail.text, /Firefox on macOS, on \w+ \d+, \d{4} at \d+:\d+:\d+/)
  t.match(mail.text, /UTC/)
  t.notMatch(mail.html, /href="http:\/\/localhost:3000\/[^"]/, 'without a link that acts')

  const silent = await Browser.open(app, { userAgent: '' })
  await silent.submit('POST', '/sign_in', { email: person.email, password })
  t.match((await smtp.next()).text, /one that does not say what it is/)
})

t.test('a known browser and the sign-up itself send no mail', async (t) => {
  const { app, db } = await startApp(t)
  const { browser, person, page } = await signedUp(app)
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

  await forgotten(app, person.email)
  await forgetMails(db)
  await other.browser.submit('DELETE', '/sessions/none')
  const second = await signedUp(app)
  await second.browser.submit('DELETE', `/sessions/${second.page.props.auth.session.id}`)
  await forgetMails(db)
  await second.browser.submit('POST', '/sign_in', { email: person.email, password: 'a fresh password' })
  t.match(await queuedMails(db), [{ mail: 'new_sign_in' }], 'a browser that knows others is new to this one')
})

t.test('a wrong password for a known address is recorded once an hour per client', async (t) => {
  const { app, db } = await startApp(t)
  const { person, user } = await signedUp(app)
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
