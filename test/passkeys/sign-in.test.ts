import { eq } from 'drizzle-orm'
import t from 'tap'
import { rateLimits, sessions } from '../../drizzle/schema.ts'
import { collectLines, startApp } from '../helpers/app.ts'
import {
  Authenticator,
  addPasskey,
  challengeOptions,
  commonLies,
  creationOptions,
  type Lies,
  malformed,
  requestOptions,
  signInWith,
} from '../helpers/passkeys.ts'
import { nextIp, openGuest, password, verifiedUp } from '../helpers/people.ts'
import { withSecondFactor } from '../helpers/second-factor.ts'

const { lines, logTo } = collectLines()
const { app, clock, db } = await startApp(t, { LOG_LEVEL: 'info' }, { logTo })
const refused = { alert: "That passkey didn't work. Try again" }

/** A person with a passkey, and a function to sign in with it in another browser. */
async function withPasskey(nature: Lies = {}) {
  const someone = await verifiedUp(app)
  const passkey = await addPasskey(someone.browser, new Authenticator(nature))
  const signIn = async (lies?: Lies, more?: object) =>
    signInWith(await openGuest(app), passkey.authenticator, lies, more)
  return { ...someone, ...passkey, signIn }
}

t.test('a guest is asked for any passkey, without an address or a query', async (t) => {
  const { person } = await withPasskey()
  const browser = await openGuest(app)
  for (const body of [{}, { email: person.email }, { email: 'nobody@example.com' }, { response: 1 }]) {
    const response = await browser.request('POST', '/sign_in/passkey/options', { body })
    t.equal(response.statusCode, 200)
    const { challenge, ...rest } = response.json()
    t.ok(Buffer.from(challenge, 'base64url').length >= 32)
    t.same(rest, { rpId: 'localhost', timeout: 300_000, userVerification: 'required' })
  }
})

t.test('a passkey does what a sign-in does, in one step', async (t) => {
  const { authenticator, slug, user } = await withPasskey()
  const browser = await openGuest(app)
  const before = browser.csrfHeader()
  const body = { response: authenticator.get(await requestOptions(browser)) }
  const response = await browser.request('POST', '/sign_in/passkey', { body })
  t.match(response, { statusCode: 302, headers: { location: `/${slug}` } })
  const page = await browser.follow(response)
  t.same(page.flash, { notice: 'Signed in successfully' })
  t.equal(page.props.auth.user.id, user.id)
  t.not(browser.csrfHeader()['x-xsrf-token'], before['x-xsrf-token'])
  const security = await browser.visit('/settings/security')
  t.match(security.props.passkeys[0].last_used_at, /^\d{4}-.*Z$/)
  const shown = JSON.stringify([lines, security])
  for (const secret of [authenticator.id, String(authenticator.userHandle)]) {
    t.notOk(shown.includes(secret), 'neither logs nor pages contain anything that grants access')
  }
})

t.test('it covers both factors: no code is asked for', async (t) => {
  const { authenticator } = await addPasskey((await withSecondFactor({ app, clock })).browser)
  t.equal((await signInWith(await openGuest(app), authenticator)).component, 'accounts/show')
})

t.test('redirects to the requested page', async (t) => {
  const { signIn, slug } = await withPasskey()
  t.equal((await signIn({}, { return_to: `/${slug}/members` })).url, `/${slug}/members`)
})

t.test('a passkey is rejected', async (t) => {
  const { authenticator, browser: owner, signIn, user } = await withPasskey()
  const ben = await withPasskey()
  const { id, userHandle } = ben.authenticator
  const lies: Record<string, Lies> = {
    ...commonLies,
    'as a registration': { type: 'webauthn.create' },
    'by a key that suddenly may be copied': { syncable: true },
    "as somebody else's credential": { id, userHandle },
    "with somebody else's handle": { userHandle },
    'without a handle': { userHandle: undefined },
    'that nobody knows': { id: 'unknown' },
    "with another browser's challenge": { challenge: (await requestOptions(await openGuest(app))).challenge },
    "with a registration's challenge": { challenge: (await creationOptions(ben.browser)).challenge },
    'with a challenge for a change': { challenge: (await challengeOptions(owner)).challenge },
  }
  for (const [title, lie] of Object.entries(lies)) {
    const page = await signIn(lie)
    t.equal(page.url, '/sign_in')
    t.same(page.flash, refused, title)
    t.equal(page.props.unknown_passkey, title === 'that nobody knows' || undefined, title)
  }

  const browser = await openGuest(app)
  const options = await requestOptions(browser)
  clock.forward({ minutes: 5 })
  const late = await browser.submit('POST', '/sign_in/passkey', { response: authenticator.get(options) })
  t.same(late.flash, refused, 'after five minutes')
  t.equal((await db.select().from(sessions).where(eq(sessions.userId, user.id))).length, 1)
  const reasons = lines.filter(({ msg }) => msg === 'a passkey could not be verified').map(({ reason }) => reason)
  t.match(reasons.join('\n'), /origin/i, 'the reason is logged, which may be a wrong HOST')
  t.equal((await signIn()).component, 'accounts/show')
})

t.test('a deleted credential does not sign in, even if deleted concurrently', async (t) => {
  const { browser, authenticator, signIn, id } = await withPasskey()
  const other = await openGuest(app)
  const response = authenticator.get(await requestOptions(other))
  await browser.submit('DELETE', `/settings/passkeys/${id}`, { password_challenge: password })
  t.same((await other.submit('POST', '/sign_in/passkey', { response })).flash, refused)
  t.same((await signIn()).flash, refused)
})

t.test('a response works once, however often it is sent concurrently', async (t) => {
  const { authenticator, user } = await withPasskey()
  const browser = await openGuest(app)
  const body = { response: authenticator.get(await requestOptions(browser)) }
  const send = () => browser.request('POST', '/sign_in/passkey', { body, headers: { 'x-forwarded-for': nextIp() } })
  const answers = await Promise.all(Array.from({ length: 20 }, send))
  t.equal(answers.filter(({ headers }) => headers.location !== '/sign_in').length, 1)
  t.equal((await db.select().from(sessions).where(eq(sessions.userId, user.id))).length, 2)
})

const synced = { syncable: true, synced: true }
const out = 'out, logged'

/** The counters of consecutive sign-ins, and what becomes of each. */
const counters: Record<string, [nature: Lies, counters: number[], outcomes: string[]]> = {
  'that increases is stored': [{}, [7, 8], ['in', 'in']],
  'that stands still is logged, and rejected for a key that cannot be synced': [
    {},
    [7, 7, 6, 0],
    ['in', out, out, out],
  ],
  'that decreases is logged, and accepted for a synced key': [synced, [7, 3], ['in', 'in, logged']],
  'that stays at zero is ignored': [{}, [0, 0], ['in', 'in']],
}
for (const [title, [nature, given, expected]] of Object.entries(counters)) {
  t.test(`a counter ${title}`, async (t) => {
    const { signIn } = await withPasskey(nature)
    const outcomes = []
    for (const counter of given) {
      lines.length = 0
      const { component, flash } = await signIn({ counter })
      const isLogged = lines.some(({ event, outcome }) => event === 'passkey' && outcome === 'counter')
      outcomes.push(`${component === 'accounts/show' ? 'in' : 'out'}${isLogged ? ', logged' : ''}`)
      if (component !== 'accounts/show') t.same(flash, refused)
    }
    t.same(outcomes, expected)
  })
}

t.test('a malformed response is refused with the same message', async (t) => {
  const { authenticator } = await withPasskey()
  const browser = await openGuest(app)
  for (const response of malformed(authenticator.get(await requestOptions(browser)))) {
    await db.delete(rateLimits)
    const answer = await browser.request('POST', '/sign_in/passkey', { body: { response } })
    t.equal(answer.headers.location, '/sign_in', JSON.stringify(response)?.slice(0, 60))
    t.same((await browser.follow(answer)).flash, refused)
  }
})

t.test('a passkey cannot be precognized, nor used while signed in', async (t) => {
  const { browser, authenticator, slug } = await withPasskey()
  const visitor = await openGuest(app)
  const response = authenticator.get(await requestOptions(visitor))
  t.equal((await visitor.precognize('POST', '/sign_in/passkey', { response })).statusCode, 400)
  t.equal((await browser.submit('POST', '/sign_in/passkey', { response })).url, `/${slug}`)
})
