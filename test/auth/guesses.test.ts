import { eq, gt, sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { rateLimits, users } from '../../drizzle/schema.ts'
import { keyOf } from '../../plugins/security/limits/index.ts'
import { collectLines, startApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { forgotten, nextIp, openGuest, password, sharedPerson, sidOf, signedUp } from '../helpers/people.ts'

const incorrect = 'That email or password is incorrect'
const later = 'Try again later.'
const fresh = 'a fresh password'
const signedIn = 'accounts/show'

async function startGuessing(t: Test) {
  const started = await sharedPerson(t)
  const { app, db, person } = started
  /** A single attempt from a new client: the alert, or the page of the account. */
  const guess = async (word = 'a wrong password', from?: Browser, email = person.email) => {
    const browser = from ?? (await Browser.open(app))
    const headers = { 'x-forwarded-for': nextIp() }
    const { flash, component } = await browser.submit('POST', '/sign_in', { email, password: word }, headers)
    return flash?.alert ?? component
  }
  /** Sets the count as if this many strangers had guessed wrong. */
  const strangersGuess = async (hits = 100, email = person.email) => {
    const expiresAt = sql`now() + interval '1 hour'`
    const row = { key: keyOf('guess', email), hits, expiresAt }
    await db.insert(rateLimits).values(row).onConflictDoUpdate({ target: rateLimits.key, set: { hits, expiresAt } })
  }
  const afterStrangers = async (word: string, from: Browser, email = person.email) => {
    await strangersGuess(100, email)
    return guess(word, from, email)
  }
  /** A signed-out browser with the same device cookie. */
  const signedOut = async (browser: Browser) => {
    const next = await Browser.open(app)
    next.cookies.set('device', browser.cookies.get('device') ?? '')
    return next
  }
  return { ...started, guess, strangersGuess, afterStrangers, signedOut }
}

t.test('of 40 concurrent guesses from as many clients, those that are left of 100 are verified', async (t) => {
  const { guess, strangersGuess } = await startGuessing(t)
  await strangersGuess(90)
  const outcomes = await Promise.all(Array.from({ length: 40 }, () => guess()))
  t.same(outcomes.sort(), [...Array(10).fill(incorrect), ...Array(30).fill(later)])
})

t.test('100 wrong guesses of one address use up its hour', async (t) => {
  const { app, db, person, guess, strangersGuess } = await startGuessing(t)
  const addresses = { known: person.email, unknown: 'nobody@example.com', nonsense: 'no address \ud800' }

  for (const [kind, email] of Object.entries(addresses)) {
    for (let count = 0; count < 4; count++) {
      if (count === 2) await strangersGuess(98, email)
      const typed = count % 2 ? email : ` ${email.toUpperCase()} `
      t.equal(await guess('wrong', undefined, typed), incorrect, `${kind} ${count}`)
    }
  }

  await t.test('then even the right password is not verified, known address or not', async (t) => {
    for (const email of Object.values(addresses)) {
      const browser = await openGuest(app)
      const attempt = (headers = {}) => browser.request('POST', '/sign_in', { body: { email, password }, headers })
      const response = await attempt()
      t.equal(response.headers.location, '/sign_in')
      t.same((await browser.follow(response)).flash, { alert: later })
      t.notOk(browser.cookies.has('session_token'))
      const json = await attempt({ accept: 'application/json' })
      t.equal(json.statusCode, 429)
      t.match(json.json(), { status: 429, error: 'Too Many Requests' })
      for (const { headers } of [response, json]) t.ok(Number(headers['retry-after']) > 3500)
    }
  })
  await t.test('but that of another address is, and this one when the hour is over', async (t) => {
    t.equal(await guess('wrong', undefined, 'somebody.else@example.com'), incorrect)
    await db.update(rateLimits).set({ expiresAt: sql`${rateLimits.expiresAt} - interval '59 minutes'` })
    t.equal(await guess(password), later)
    await db.update(rateLimits).set({ expiresAt: sql`now()` })
    t.equal(await guess(password), signedIn)
  })
})

t.test('strangers lock nobody out of a browser where they signed up, signed in or set the password', async (t) => {
  const { app, browser, user, guess, afterStrangers, signedOut } = await startGuessing(t)
  t.equal(await afterStrangers(password, await signedOut(browser)), signedIn, 'signed up')
  const desk = await Browser.open(app)
  await guess(password, desk)
  t.equal(await afterStrangers(password, await signedOut(desk)), signedIn, 'signed in')
  const body = { password: fresh, password_confirmation: fresh, password_challenge: password }
  await browser.submit('PATCH', '/settings/password', body)
  t.equal(await afterStrangers(fresh, await signedOut(browser)), signedIn, 'changed it')
  const elsewhere = await Browser.open(app)
  const sid = await sidOf(app, 'password_reset', user.id)
  await elsewhere.submit('PATCH', '/identity/password_reset', { sid, password, password_confirmation: password })
  t.equal(await afterStrangers(password, elsewhere), signedIn, 'reset it')
  t.equal(await afterStrangers(password, await signedOut(browser)), later, 'but not from before a password change')
})

t.test('a known device', async (t) => {
  const { app, db, person, browser, guess, afterStrangers, signedOut } = await startGuessing(t)
  const device = await signedOut(browser)

  await t.test('has a count of its own, also for copies of its cookie', async (t) => {
    for (let count = 0; count < 4; count++) {
      if (count === 2) await db.update(rateLimits).set({ hits: 98 })
      t.equal(await guess('wrong', device), incorrect)
    }
    t.equal(await guess(password, device), later)
    t.equal(await guess(password), signedIn, 'others may still try')
    t.equal(await guess(password, await signedOut(device)), later)
  })
  await t.test('is a stranger to all other users', async (t) => {
    const other = await signedUp(app)
    t.equal(await afterStrangers(password, await signedOut(browser), other.person.email), later)
  })
  await t.test('cannot be forged', async (t) => {
    const cookie = decodeURIComponent(browser.cookies.get('device') ?? '')
    const anotherDigit = cookie.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))
    const forged = await Browser.open(app)
    for (const value of [anotherDigit, cookie.split('.')[0] ?? '', 'x']) {
      forged.cookies.set('device', encodeURIComponent(value))
      t.equal(await afterStrangers(password, forged), later)
    }
  })
  await t.test('does not know a new user with the same address', async (t) => {
    await db.delete(users).where(eq(users.email, person.email))
    await signedUp(app, { email: person.email })
    t.equal(await afterStrangers(password, await signedOut(browser)), later)
  })
})

t.test('a successful sign-in clears the wrong guesses of address and device, and so does a reset', async (t) => {
  const { app, db, user, browser, guess, strangersGuess, signedOut } = await startGuessing(t)
  const device = await signedOut(browser)
  await guess('wrong', device)
  await strangersGuess(99)
  await guess(password, device)
  t.same(await db.select().from(rateLimits).where(sql`key like 'guess:%'`), [])
  await strangersGuess()
  await forgotten(app, user.id, fresh)
  t.equal(await guess(fresh), signedIn)
})

t.test('the device cookie contains the last five people', async (t) => {
  const { app, person, guess, afterStrangers, signedOut } = await startGuessing(t)
  const emails = [person.email]
  while (emails.length < 6) emails.push((await signedUp(app)).person.email)
  let browser = await Browser.open(app)
  for (const email of emails) {
    browser = await signedOut(browser)
    await guess(password, browser, email)
  }
  const outcomes = []
  for (const email of emails) outcomes.push(await afterStrangers(password, await signedOut(browser), email))
  t.same(outcomes, [later, ...Array(5).fill(signedIn)], 'the first one is forgotten')
})

t.test('a stored digest that cannot be read is a wrong password, counted, with a line in the log', async (t) => {
  const { lines, logTo } = collectLines()
  const { app, db } = await startApp(t, {}, { logTo })
  const { browser, person, user } = await signedUp(app)
  const passwordDigest = '$2b$10$a-digest-of-another-kind'
  await db.update(users).set({ passwordDigest }).where(eq(users.id, user.id))
  const logged = () => lines.splice(0).filter(({ msg }) => msg.startsWith('a stored password digest cannot be read'))

  const guest = await openGuest(app)
  const { flash } = await guest.submit('POST', '/sign_in', { email: person.email, password })
  t.same(flash, { alert: incorrect })
  t.notOk(guest.cookies.has('session_token'))
  t.equal(JSON.stringify(lines).includes(passwordDigest), false)
  t.equal(logged().length, 1)

  const page = await browser.submit('PATCH', '/settings/password', {
    password_challenge: password,
    password: fresh,
    password_confirmation: fresh,
  })
  t.same(page.props.errors, { password_challenge: ['is invalid'] })
  t.equal(logged().length, 1)

  const counted = await db.select().from(rateLimits).where(gt(rateLimits.hits, 0))
  const keys = counted.map(({ key }) => key)
  for (const key of [keyOf('guess', person.email), keyOf('challenge', user.id)]) t.ok(keys.includes(key), key)
})
