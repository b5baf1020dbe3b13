import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { users } from '../../drizzle/schema.ts'
import { verifyEmail } from '../../features/identity/links.ts'
import { Browser } from '../helpers/browser.ts'
import { changeEmail, sharedPerson, sidOf, userRow } from '../helpers/people.ts'
import { forgetMails, queuedMails, recorded } from '../helpers/records.ts'

const thanks = { notice: 'Thank you for verifying your email address' }
const invalid = { alert: 'That email verification link is invalid' }

async function startUnverified(t: Test) {
  const started = await sharedPerson(t)
  const { app, db, user, browser } = started
  const read = () => userRow(db, user.id)
  const link = async () => `/identity/email_verification?sid=${await sidOf(app, 'email_verification', user.id)}`
  const leads = async (path: string, by = browser) => (await by.request('GET', path)).headers.location
  return { ...started, link, read, leads }
}

t.test('a link verifies once, and redirects home with a notice', async (t) => {
  const { browser, link, slug, read } = await startUnverified(t)
  const path = await link()
  const response = await browser.request('GET', path)
  t.equal(response.headers.location, '/')
  const page = await browser.follow(response)
  t.equal(page.url, `/${slug}`)
  t.same(page.flash, thanks)
  t.equal(page.props.auth.user.verified, true)
  t.equal((await read()).verified, true)

  const again = await browser.visit(path)
  t.equal(again.url, '/settings/email')
  t.same(again.flash, invalid)
  t.equal((await read()).verified, true)
})

t.test('it works in a signed-out browser, and is recorded with its client', async (t) => {
  const { app, db, link, read } = await startUnverified(t)
  const page = await new Browser(app, { ip: '10.1.2.3' }).visit(await link())
  t.equal(page.component, 'home/index')
  t.same(page.flash, thanks)
  t.equal(page.props.verified_email, (await read()).email, 'to go on with')
  t.match((await recorded(db)).at(-1), { type: 'email_verified', ipAddress: '10.1.2.3', userAgent: /./ })
})

t.test('a link lives for two days', async (t) => {
  const { link, clock, read, leads } = await startUnverified(t)
  const path = await link()
  clock.forward({ days: 2 })
  t.equal(await leads(path), '/settings/email')
  t.equal((await read()).verified, false)
  const other = await link()
  clock.forward({ days: 1, hours: 23, minutes: 59 })
  t.equal(await leads(other), '/')
})

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** The last letter of 32 bytes in base64url has two bits to spare. */
const neighbour = (letter = '') => letters[letters.indexOf(letter) ^ 1]

t.test('a link that is garbage, forged or for another purpose verifies nothing', async (t) => {
  const { app, browser, link, read, user } = await startUnverified(t)
  const sid = (await link()).split('sid=')[1] ?? ''
  const [payload = '', signature] = sid.split('.')
  const json = Buffer.from(payload, 'base64url').toString()
  const forged = Buffer.from(json.replace(/"user":\d+/, '"user":999')).toString('base64url')
  const otherSpellings = [`${sid}=`, sid.slice(0, -1) + neighbour(sid.at(-1))]
  const reset = await sidOf(app, 'password_reset', user.id)
  const garbage = ['', 'invalid', 'a.b.c', '!!!.???', `${payload}.`, `${sid}.x`, '%00']
  for (const wrong of [...garbage, `${forged}.${signature}`, ...otherSpellings, reset]) {
    const page = await browser.visit(`/identity/email_verification?sid=${wrong}`)
    t.equal(page.url, '/settings/email', wrong)
    t.same(page.flash, invalid)
  }
  t.equal((await browser.visit('/identity/email_verification')).url, '/settings/email')
  t.equal((await read()).verified, false)

  const guest = await new Browser(app).visit('/identity/email_verification?sid=wrong')
  t.equal(guest.component, 'auth/sign-in')
  t.same(guest.flash, invalid, 'a guest who is redirected to sign-in still sees why')
})

t.test('a link to an earlier address stays invalid, even if the address comes back', async (t) => {
  const { browser, link, read, person, leads } = await startUnverified(t)
  const path = await link()
  for (const email of ['elsewhere@example.com', person.email]) {
    await changeEmail({ browser }, email)
    t.equal(await leads(path), '/settings/email')
  }
  t.equal((await read()).verified, false)
})

t.test('an address that changes between check and verification stays unverified', async (t) => {
  const { app, db, read } = await startUnverified(t)
  const checked = await read()
  await db.update(users).set({ email: 'elsewhere@example.com', emailRevision: sql`${users.emailRevision} + 1` })
  t.equal(await verifyEmail(app, checked), false)
  t.equal((await read()).verified, false)
})

t.test('one link opened twenty times concurrently verifies once', async (t) => {
  const { app, link, leads } = await startUnverified(t)
  const path = await link()
  const locations = await Promise.all(Array.from({ length: 20 }, () => leads(path, new Browser(app))))
  t.same(locations.sort(), ['/', ...Array(19).fill('/settings/email')])
})

t.test('a prefetch does not use up the link', async (t) => {
  const { browser, link, read, leads } = await startUnverified(t)
  const path = await link()
  t.equal((await browser.send('HEAD', path)).statusCode, 200)
  const prefetch = { headers: { 'sec-purpose': 'prefetch; anonymous-client-ip' } }
  t.equal((await browser.send('GET', path, prefetch)).statusCode, 503, 'which no browser keeps for the visit')
  t.equal((await browser.precognize('GET', path, undefined)).statusCode, 400)
  t.equal((await read()).verified, false)
  t.equal(await leads(path), '/')
})

t.test('asking for the mail again', async (t) => {
  const { app, db, browser, user } = await startUnverified(t)
  await forgetMails(db)
  const notice = 'We sent a verification email to your email address'
  const ask = (headers: Record<string, string> = {}) =>
    browser.request('POST', '/identity/email_verification', { body: {}, headers })
  const origin = 'http://localhost:3000'

  await t.test('queues one and redirects back to the page', async (t) => {
    const response = await ask({ referer: `${origin}/settings/email?tab=1` })
    t.equal(response.headers.location, '/settings/email?tab=1')
    t.same((await browser.follow(response)).flash, { notice })
    t.same(await queuedMails(db), [{ mail: 'email_verification', userId: user.id }])
  })
  await t.test('never redirects to another site', async (t) => {
    const slashes = ['//evil.example', '/%5Cevil.example', '/\\evil.example', '/\\/evil.example', '/%2F/evil.example']
    const sites = ['https://evil.example/', 'http://localhost:3001/', 'nonsense', 'javascript:alert(1)']
    await app.db.execute(sql`delete from rate_limits`)
    for (const referer of [...sites, ...slashes.map((path) => origin + path), `blob:${origin}/settings/email`])
      t.equal((await ask({ referer })).headers.location, '/', referer)
    await app.db.execute(sql`delete from rate_limits`)
    const { headers } = await ask({ referer: `${origin}/settings/email//x` })
    t.equal(headers.location, '/settings/email//x', 'slashes inside are harmless')
  })
  await t.test('sends nothing to a verified user, with the same response, nor for a guest', async (t) => {
    await app.db.execute(sql`delete from rate_limits`)
    await forgetMails(db)
    await db.update(users).set({ verified: true })
    t.same((await browser.follow(await ask())).flash, { notice })
    const guest = await Browser.open(app)
    t.equal((await guest.submit('POST', '/identity/email_verification')).component, 'auth/sign-in')
    t.same(await queuedMails(db), [])
  })
})
