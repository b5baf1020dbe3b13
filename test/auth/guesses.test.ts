import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { rateLimits, users } from '../../drizzle/schema.ts'
import { keyOf } from '../../plugins/security/limits/index.ts'
import { sharedApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { forgotten, password, sharedPerson, sidOf, signedUp } from '../helpers/people.ts'

const incorrect = { alert: 'That email or password is incorrect' }
const later = { alert: 'Try again later.' }
const fresh = 'a fresh password'

let client = 0
const newIp = () => `10.1.${++client >> 8}.${client & 255}`

/** A single attempt from a new client. Ends on the sign-in page with a flash, or on the account's page. */
async function guess(app: FastifyInstance, email: string, word = 'a wrong password', from?: Browser) {
  const browser = from ?? (await Browser.open(app))
  const headers = { 'x-forwarded-for': newIp() }
  return browser.submit('POST', '/sign_in', { email, password: word }, headers)
}

/** Sets the count as if this many strangers had guessed wrong. */
async function strangersGuess(app: FastifyInstance, email: string, hits = 100) {
  const expiresAt = sql`now() + interval '1 hour'`
  const row = { key: keyOf('guess', email), hits, expiresAt }
  await app.db.insert(rateLimits).values(row).onConflictDoUpdate({ target: rateLimits.key, set: { hits, expiresAt } })
}

/** A signed-out browser with the same device cookie. */
async function signedOut(app: FastifyInstance, browser: Browser) {
  const next = await Browser.open(app)
  next.cookies.set('device', browser.cookies.get('device') ?? '')
  return next
}

t.test('of 40 concurrent guesses from as many clients, those that are left of 100 are verified', async (t) => {
  const { app, person } = await sharedPerson(t)
  await strangersGuess(app, person.email, 90)
  const browser = await Browser.open(app)
  await browser.visit('/sign_in')
  const bodies = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const sent = { body: { email: person.email, password: 'wrong' }, headers: { 'x-forwarded-for': newIp() } }
      return (await browser.request('POST', '/sign_in', { ...sent })).headers['retry-after']
    }),
  )
  t.equal(bodies.filter((retryAfter) => retryAfter === undefined).length, 10)
})

t.test('100 wrong guesses of one address use up its hour', async (t) => {
  const { app, person } = await sharedPerson(t)
  const addresses = { known: person.email, unknown: 'nobody@example.com', nonsense: 'no address \ud800' }

  for (const [kind, email] of Object.entries(addresses)) {
    for (let count = 0; count < 4; count++) {
      if (count === 2) await strangersGuess(app, email, 98)
      const typed = count % 2 ? email : ` ${email.toUpperCase()} `
      t.same((await guess(app, typed)).flash, incorrect, `${kind} ${count}`)
    }
  }

  await t.test('then even the right password is not verified', async (t) => {
    for (const email of Object.values(addresses)) {
      const browser = await Browser.open(app, { ip: newIp() })
      const response = await browser.request('POST', '/sign_in', { body: { email, password } })
      t.equal(response.headers.location, '/sign_in')
      t.ok(Number(response.headers['retry-after']) > 3500)
      t.same((await browser.follow(response)).flash, later)
      t.notOk(browser.cookies.has('session_token'))
    }
  })
  await t.test('then JSON clients get a 429, identical for known and unknown addresses', async (t) => {
    for (const email of Object.values(addresses)) {
      const browser = await Browser.open(app, { ip: newIp() })
      const headers = { accept: 'application/json' }
      const response = await browser.request('POST', '/sign_in', { body: { email, password }, headers })
      t.equal(response.statusCode, 429)
      t.match(response.json(), { status: 429, error: 'Too Many Requests' })
      t.ok(Number(response.headers['retry-after']) > 3500)
    }
  })
  await t.test('but not that of another address', async (t) => {
    t.same((await guess(app, 'somebody.else@example.com')).flash, incorrect)
  })
  await t.test('until the hour is over', async (t) => {
    await app.db.update(rateLimits).set({ expiresAt: sql`${rateLimits.expiresAt} - interval '59 minutes'` })
    t.same((await guess(app, person.email, password)).flash, later)
    await app.db.update(rateLimits).set({ expiresAt: sql`now()` })
    t.equal((await guess(app, person.email, password)).component, 'accounts/show')
  })
})

t.test('strangers cannot lock anyone out', async (t) => {
  const { app, person, browser, user } = await sharedPerson(t)

  await t.test('where they signed up', async (t) => {
    await strangersGuess(app, person.email)
    t.equal((await guess(app, person.email, password, await signedOut(app, browser))).component, 'accounts/show')
  })
  await t.test('where they signed in', async (t) => {
    const desk = await Browser.open(app)
    await guess(app, person.email, password, desk)
    await strangersGuess(app, person.email)
    t.equal((await guess(app, person.email, password, await signedOut(app, desk))).component, 'accounts/show')
  })
  await t.test('where they changed the password', async (t) => {
    const body = { password: fresh, password_confirmation: fresh, password_challenge: password }
    await browser.submit('PATCH', '/settings/password', body)
    await strangersGuess(app, person.email)
    t.equal((await guess(app, person.email, fresh, await signedOut(app, browser))).component, 'accounts/show')
  })
  await t.test('where they reset it', async (t) => {
    const elsewhere = await Browser.open(app)
    const sid = await sidOf(app, 'password_reset', user.id)
    await elsewhere.submit('PATCH', '/identity/password_reset', { sid, password, password_confirmation: password })
    await strangersGuess(app, person.email)
    t.equal((await guess(app, person.email, password, elsewhere)).component, 'accounts/show')
  })
  await t.test('but a browser from before a password change counts as a stranger', async (t) => {
    await strangersGuess(app, person.email)
    t.same((await guess(app, person.email, password, await signedOut(app, browser))).flash, later)
  })
})

t.test('a known device', async (t) => {
  const { app, db, person, browser } = await sharedPerson(t)
  const device = await signedOut(app, browser)

  await t.test('has a count of its own', async (t) => {
    for (let count = 0; count < 4; count++) {
      if (count === 2) await db.update(rateLimits).set({ hits: 98 })
      t.same((await guess(app, person.email, 'a wrong password', device)).flash, incorrect)
    }
    t.same((await guess(app, person.email, password, device)).flash, later)
    t.equal((await guess(app, person.email, password)).component, 'accounts/show', 'others may still try')
  })
  await t.test('cannot be multiplied by copies of its cookie', async (t) => {
    t.same((await guess(app, person.email, password, await signedOut(app, device))).flash, later)
  })
  await t.test('is a stranger to all other users', async (t) => {
    const other = await signedUp(app)
    await strangersGuess(app, other.person.email)
    const stranger = await signedOut(app, browser)
    t.same((await guess(app, other.person.email, password, stranger)).flash, later)
  })
  await t.test('cannot be forged', async (t) => {
    await strangersGuess(app, person.email)
    const cookie = decodeURIComponent(browser.cookies.get('device') ?? '')
    const forged = await Browser.open(app)
    for (const value of [
      cookie.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
      cookie.split('.')[0] ?? '',
      'x',
    ]) {
      forged.cookies.set('device', encodeURIComponent(value))
      t.same((await guess(app, person.email, password, forged)).flash, later)
    }
  })
  await t.test('does not know a new user with the same address', async (t) => {
    await db.delete(users).where(eq(users.email, person.email))
    await signedUp(app, { email: person.email })
    await strangersGuess(app, person.email)
    t.same((await guess(app, person.email, password, await signedOut(app, browser))).flash, later)
  })
})

t.test('a successful sign-in clears the wrong guesses of address and device', async (t) => {
  const { app, person, browser } = await sharedPerson(t)
  const device = await signedOut(app, browser)
  await guess(app, person.email, 'a wrong password', device)
  await strangersGuess(app, person.email, 99)
  await guess(app, person.email, password, device)
  t.same(await app.db.select().from(rateLimits).where(sql`key like 'guess:%'`), [])
})

t.test('a completed password reset clears the wrong guesses', async (t) => {
  const { app, person, user } = await sharedPerson(t)
  await strangersGuess(app, person.email)
  await forgotten(app, user.id, fresh)
  t.equal((await guess(app, person.email, fresh)).component, 'accounts/show')
})

t.test('the device cookie', async (t) => {
  const { app } = await sharedApp(t)
  let browser = await Browser.open(app)
  const people: { email: string }[] = []
  for (let count = 0; count < 6; count++) people.push((await signedUp(app)).person)

  await t.test('is signed, lasts 400 days, and is out of reach of scripts', async (t) => {
    const body = { email: people[0]?.email, password }
    const response = await browser.request('POST', '/sign_in', { body, headers: { 'x-forwarded-for': newIp() } })
    const cookie = response.cookies.find(({ name }) => name === 'device')
    t.match(cookie, { httpOnly: true, sameSite: 'Lax', path: '/', maxAge: 400 * 86_400 })
  })
  await t.test('contains the last five people, and keeps its id', async (t) => {
    for (const { email } of people.slice(1)) {
      browser = await signedOut(app, browser)
      await guess(app, email, password, browser)
    }
    for (const { email } of people) await strangersGuess(app, email)
    const pages = []
    for (const { email } of people) pages.push(await guess(app, email, password, await signedOut(app, browser)))
    t.same(pages[0]?.flash, later, 'the first one is forgotten')
    for (const page of pages.slice(1)) t.equal(page.component, 'accounts/show')
  })
  await t.test('survives a sign-out', async (t) => {
    const { browser } = await signedUp(app)
    const token = decodeURIComponent(browser.cookies.get('session_token') ?? '').split('.')[0]
    await browser.submit('DELETE', `/sessions/${token}`)
    t.ok(browser.cookies.has('device'))
    t.notOk(browser.cookies.has('session_token'))
  })
})
