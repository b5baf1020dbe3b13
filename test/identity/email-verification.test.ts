import { sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { users } from '../../drizzle/schema.ts'
import { verifyEmail } from '../../features/identity/links.ts'
import { sharedApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { sidOf, signedUp, userRow } from '../helpers/people.ts'
import { forgetMails, queuedMails, recorded } from '../helpers/records.ts'

async function startUnverified(t: Test) {
  const started = await sharedApp(t)
  const someone = await signedUp(started.app)
  const read = () => userRow(started.db, someone.user.id)
  const link = async () =>
    `/identity/email_verification?sid=${await sidOf(started.app, 'email_verification', someone.user.id)}`
  return { ...started, ...someone, link, read }
}

t.test('a link verifies and redirects home with a notice', async (t) => {
  const { browser, link, slug, read } = await startUnverified(t)
  const response = await browser.request('GET', await link())
  t.equal(response.headers.location, '/')
  const page = await browser.follow(response)
  t.equal(page.url, `/${slug}`)
  t.same(page.flash, { notice: 'Thank you for verifying your email address' })
  t.equal(page.props.auth.user.verified, true)
  t.equal((await read()).verified, true)
})

t.test('it works in a signed-out browser, and is recorded with its client', async (t) => {
  const { app, db, link, read } = await startUnverified(t)
  const page = await new Browser(app, { ip: '10.1.2.3' }).visit(await link())
  t.equal(page.component, 'home/index')
  t.same(page.flash, { notice: 'Thank you for verifying your email address' })
  t.equal(page.props.verified_email, (await read()).email, 'to go on with')
  t.match((await recorded(db)).at(-1), { type: 'email_verified', ipAddress: '10.1.2.3', userAgent: /./ })
})

t.test('a second use is rejected and changes nothing', async (t) => {
  const { browser, link, read } = await startUnverified(t)
  const path = await link()
  await browser.visit(path)
  const page = await browser.visit(path)
  t.equal(page.url, '/settings/email')
  t.same(page.flash, { alert: 'That email verification link is invalid' })
  t.equal((await read()).verified, true)
})

t.test('a link lives for two days', async (t) => {
  const { browser, link, clock, read } = await startUnverified(t)
  const path = await link()
  clock.forward({ days: 2 })
  t.equal((await browser.request('GET', path)).headers.location, '/settings/email')
  t.equal((await read()).verified, false)

  const other = await link()
  clock.forward({ days: 1, hours: 23, minutes: 59 })
  t.equal((await browser.request('GET', other)).headers.location, '/')
})

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** The last letter of 32 bytes in base64url has two bits to spare. */
const neighbour = (letter = '') => letters[letters.indexOf(letter) ^ 1]

t.test('a link that is garbage, forged or for another purpose verifies nothing', async (t) => {
  const { app, browser, link, read, user } = await startUnverified(t)
  const sid = (await link()).split('sid=')[1] ?? ''
  const [payload = '', signature] = sid.split('.')
  const forged = Buffer.from(
    Buffer.from(payload, 'base64url')
      .toString()
      .replace(/"user":\d+/, '"user":999'),
  ).toString('base64url')
  const reset = await sidOf(app, 'password_reset', user.id)
  for (const wrong of [
    '',
    'invalid',
    'a.b.c',
    '!!!.???',
    `${forged}.${signature}`,
    // other spellings of the same bytes
    `${sid}=`,
    sid.slice(0, -1) + neighbour(sid.at(-1)),
    `${payload}.`,
    reset,
    `${sid}.x`,
    '%00',
  ]) {
    const page = await browser.visit(`/identity/email_verification?sid=${wrong}`)
    t.equal(page.url, '/settings/email', wrong)
    t.same(page.flash, { alert: 'That email verification link is invalid' })
  }
  t.equal((await browser.visit('/identity/email_verification')).url, '/settings/email')
  t.equal((await read()).verified, false)
})

t.test('a guest with a wrong link is redirected to sign-in, and still sees why', async (t) => {
  const { app } = await startUnverified(t)
  const page = await new Browser(app).visit('/identity/email_verification?sid=wrong')
  t.equal(page.component, 'auth/sign-in')
  t.same(page.flash, { alert: 'That email verification link is invalid' })
})

t.test('a link to an earlier address stays invalid, even if the address comes back', async (t) => {
  const { browser, db, link, read, person } = await startUnverified(t)
  const path = await link()
  const change = (email: string) =>
    browser.submit('PATCH', '/settings/email', { email, password_challenge: person.password })
  await change('elsewhere@example.com')
  t.equal((await browser.visit(path)).url, '/settings/email')
  await change(person.email)
  t.equal((await browser.visit(path)).url, '/settings/email')
  t.equal((await read()).verified, false)
  t.equal((await db.select().from(users)).length, 1)
})

t.test('an address that changes between check and verification stays unverified', async (t) => {
  const { app, db, read } = await startUnverified(t)
  const checked = await read()
  await db.update(users).set({ email: 'elsewhere@example.com', emailRevision: sql`${users.emailRevision} + 1` })
  t.equal(await verifyEmail(app, checked), false)
  t.equal((await read()).verified, false)
})

t.test('one link opened twenty times concurrently verifies once', async (t) => {
  const { app, link } = await startUnverified(t)
  const path = await link()
  const responses = await Promise.all(Array.from({ length: 20 }, () => new Browser(app).request('GET', path)))
  const locations = responses.map(({ headers }) => headers.location)
  t.equal(locations.filter((location) => location === '/').length, 1)
  t.equal(locations.filter((location) => location === '/settings/email').length, 19)
})

t.test('a prefetch does not use up the link', async (t) => {
  const { browser, link, read } = await startUnverified(t)
  const path = await link()
  t.equal((await browser.send('HEAD', path)).statusCode, 200)
  for (const header of ['purpose', 'sec-purpose', 'x-moz']) {
    const response = await browser.send('GET', path, { headers: { [header]: 'prefetch' } })
    t.equal(response.statusCode, 503, 'which a browser does not keep for the visit')
  }
  for (const purpose of ['prefetch;prerender', 'prefetch; anonymous-client-ip']) {
    t.equal((await browser.send('GET', path, { headers: { 'sec-purpose': purpose } })).statusCode, 503, purpose)
  }
  t.equal((await browser.precognize('GET', path, undefined)).statusCode, 400)
  t.equal((await read()).verified, false)
  t.equal((await browser.request('GET', path)).headers.location, '/')
})

t.test('asking for the mail again', async (t) => {
  const { app, db, browser, user } = await startUnverified(t)
  await forgetMails(db)
  const notice = 'We sent a verification email to your email address'

  await t.test('queues one and redirects back to the page', async (t) => {
    const headers = { referer: 'http://localhost:3000/settings/email?tab=1' }
    const response = await browser.request('POST', '/identity/email_verification', { body: {}, headers })
    t.equal(response.headers.location, '/settings/email?tab=1')
    t.same((await browser.follow(response)).flash, { notice })
    t.same(await queuedMails(db), [{ mail: 'email_verification', userId: user.id }])
  })
  await t.test('never redirects to another site', async (t) => {
    const elsewhere = [
      'https://evil.example/',
      'http://localhost:3001/',
      'nonsense',
      'http://localhost:3000//evil.example',
      'http://localhost:3000/%5Cevil.example',
      'http://localhost:3000/\\evil.example',
      'http://localhost:3000/\\/evil.example',
      'http://localhost:3000/%2F/evil.example',
      'javascript:alert(1)',
      'blob:http://localhost:3000/settings/email',
    ]
    await app.db.execute(sql`delete from rate_limits`)
    for (const referer of elsewhere) {
      const response = await browser.request('POST', '/identity/email_verification', { body: {}, headers: { referer } })
      t.equal(response.headers.location, '/', referer)
    }
    const response = await browser.request('POST', '/identity/email_verification', {
      body: {},
      headers: { referer: 'http://localhost:3000/settings/email//x' },
    })
    t.equal(response.headers.location, '/settings/email//x', 'slashes inside are harmless')
  })
  await t.test('is limited', async (t) => {
    await app.db.execute(sql`delete from rate_limits`)
    await forgetMails(db)
    for (let count = 0; count < 10; count++) await browser.request('POST', '/identity/email_verification', { body: {} })
    const page = await browser.submit('POST', '/identity/email_verification')
    t.equal(page.flash?.alert, 'Try again later.')
    await browser.submit('POST', '/identity/email_verification', {}, { 'x-forwarded-for': '10.1.1.1' })
    t.equal((await queuedMails(db)).length, 10, 'and for one address, wherever the requests come from')
  })
  await t.test('is rejected as a precognitive request', async (t) => {
    await app.db.execute(sql`delete from rate_limits`)
    await forgetMails(db)
    t.equal((await browser.precognize('POST', '/identity/email_verification', {})).statusCode, 400)
    t.same(await queuedMails(db), [])
  })
  await t.test('sends nothing to a verified user, with the same response', async (t) => {
    await db.update(users).set({ verified: true })
    t.same((await browser.submit('POST', '/identity/email_verification')).flash, { notice })
    t.same(await queuedMails(db), [])
  })
  await t.test('redirects a guest to sign-in', async (t) => {
    const guest = await Browser.open(app)
    t.equal((await guest.submit('POST', '/identity/email_verification')).component, 'auth/sign-in')
    t.same(await queuedMails(db), [])
  })
})
