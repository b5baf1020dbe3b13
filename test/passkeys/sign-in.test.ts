import { eq } from 'drizzle-orm'
import t from 'tap'
import { passkeys, rateLimits, sessions } from '../../drizzle/schema.ts'
import { collectLines, startApp } from '../helpers/app.ts'
import {
  Authenticator,
  creationOptions,
  type Lies,
  malformed,
  register,
  requestOptions,
  signInWith,
} from '../helpers/authenticator.ts'
import { Browser } from '../helpers/browser.ts'
import { password, verifiedUp } from '../helpers/people.ts'
import { withSecondFactor } from '../helpers/second-factors.ts'

const { lines, logTo } = collectLines()
const { app, clock, db } = await startApp(t, { LOG_LEVEL: 'info' }, { logTo })
const refused = { alert: "That passkey didn't work. Try again" }

let clients = 0
const guest = () => Browser.open(app, { ip: `198.19.${clients >> 8}.${++clients & 255}` })

/** A person with a passkey, and a function to sign in with it in another browser. */
async function withPasskey(nature: Lies = {}) {
  const someone = await verifiedUp(app)
  const authenticator = new Authenticator(nature)
  await register(someone.browser, authenticator)
  return {
    ...someone,
    authenticator,
    signIn: async (lies?: Lies, more?: object) => signInWith(await guest(), authenticator, lies, more),
  }
}

t.test('a guest is asked for any passkey, without an address or a query', async (t) => {
  const { person } = await withPasskey()
  const browser = await guest()
  const shapes = []
  for (const body of [{}, { email: person.email }, { email: 'nobody@example.com' }, { response: 1 }]) {
    const response = await browser.request('POST', '/sign_in/passkey/options', { body })
    t.equal(response.statusCode, 200)
    const { challenge, ...rest } = response.json()
    t.ok(Buffer.from(challenge, 'base64url').length >= 32)
    shapes.push(rest)
  }
  for (const shape of shapes) t.same(shape, { rpId: 'localhost', timeout: 300_000, userVerification: 'required' })
})

t.test('a passkey does what a sign-in does, in one step', async (t) => {
  const { authenticator, slug, user } = await withPasskey()
  const browser = await guest()
  const before = browser.csrfHeader()
  const response = await browser.request('POST', '/sign_in/passkey', {
    body: { response: authenticator.get(await requestOptions(browser)) },
  })
  t.equal(response.statusCode, 302)
  t.equal(response.headers.location, `/${slug}`)
  const page = await browser.follow(response)
  t.same(page.flash, { notice: 'Signed in successfully' })
  t.equal(page.props.auth.user.id, user.id)
  t.not(browser.csrfHeader()['x-xsrf-token'], before['x-xsrf-token'])
  const [{ last_used_at }] = (await browser.visit('/settings/security')).props.passkeys
  t.match(last_used_at, /^\d{4}-.*Z$/)
})

t.test('it covers both factors: no code is asked for', async (t) => {
  const { browser } = await withSecondFactor({ app, clock })
  const authenticator = new Authenticator()
  await register(browser, authenticator)
  t.equal((await signInWith(await guest(), authenticator)).component, 'accounts/show')
})

t.test('redirects to the requested page', async (t) => {
  const { signIn, slug } = await withPasskey()
  t.equal((await signIn({}, { return_to: `/${slug}/members` })).url, `/${slug}/members`)
  t.equal((await signIn({}, { return_to: 'https://evil.example/' })).url, `/${slug}`)
})

t.test('a passkey is rejected', async (t) => {
  const { authenticator, signIn, user } = await withPasskey()
  const ben = await withPasskey()
  const attempt = async (lies: Lies, title: string) => {
    const page = await signIn(lies)
    t.equal(page.url, '/sign_in')
    t.same(page.flash, refused, title)
  }
  await attempt({ origin: 'https://evil.example' }, 'from a foreign origin')
  await attempt({ origin: 'http://localhost:3001' }, 'from another port')
  await attempt({ rpId: 'evil.example' }, 'for a foreign relying party')
  await attempt({ verified: false }, 'without user verification')
  await attempt({ present: false, verified: true }, 'without a person')
  await attempt({ crossOrigin: true }, 'from inside of another page')
  await attempt({ type: 'webauthn.create' }, 'as a registration')
  await attempt({ syncable: true }, 'by a key that suddenly may be copied')
  await attempt({ id: ben.authenticator.id, userHandle: ben.authenticator.userHandle }, "as somebody else's credential")
  await attempt({ userHandle: ben.authenticator.userHandle }, "with somebody else's handle")
  await attempt({ userHandle: undefined }, 'without a handle')
  await attempt({ id: 'unknown' }, 'that nobody knows')
  await attempt({ challenge: (await requestOptions(await guest())).challenge }, "with another browser's challenge")
  await attempt({ challenge: (await creationOptions(ben.browser)).challenge }, "with a registration's challenge")
  await attempt({ challenge: Buffer.alloc(70).toString('base64url') }, 'with a challenge that was made up')

  const browser = await guest()
  const options = await requestOptions(browser)
  clock.forward({ minutes: 5 })
  const late = await browser.submit('POST', '/sign_in/passkey', { response: authenticator.get(options) })
  t.same(late.flash, refused, 'after five minutes')
  t.equal((await db.select().from(sessions).where(eq(sessions.userId, user.id))).length, 1)
  t.equal((await signIn()).component, 'accounts/show')
})

t.test('a deleted credential does not sign in, even if deleted concurrently', async (t) => {
  const { browser, authenticator, signIn } = await withPasskey()
  const [{ id }] = (await browser.visit('/settings/security')).props.passkeys
  const other = await guest()
  const response = authenticator.get(await requestOptions(other))
  await browser.submit('DELETE', `/settings/passkeys/${id}`, { password_challenge: password })
  t.same((await other.submit('POST', '/sign_in/passkey', { response })).flash, refused)
  t.same((await signIn()).flash, refused)
})

t.test('a response works once, however often it is sent concurrently', async (t) => {
  const { authenticator, user } = await withPasskey()
  const browser = await guest()
  const body = { response: authenticator.get(await requestOptions(browser)) }
  const headers = Array.from({ length: 20 }, (_, index) => ({ 'x-forwarded-for': `198.18.7.${index}` }))
  const cookie = browser.cookieHeader()
  const answers = await Promise.all(
    headers.map((more) =>
      browser.send('POST', '/sign_in/passkey', {
        body,
        headers: { ...browser.protocolHeaders(), ...more, cookie },
      }),
    ),
  )
  t.equal(answers.filter(({ headers }) => headers.location !== '/sign_in').length, 1)
  t.equal((await db.select().from(sessions).where(eq(sessions.userId, user.id))).length, 2)
})

t.test('a counter', async (t) => {
  const logged = () => lines.filter(({ event, outcome }) => event === 'passkey' && outcome === 'counter').length
  const stored = async (userId: number) =>
    (await db.select().from(passkeys).where(eq(passkeys.userId, userId)))[0]?.counter

  await t.test('that increases is stored', async (t) => {
    const { signIn, user } = await withPasskey()
    t.equal((await signIn({ counter: 7 })).component, 'accounts/show')
    t.equal(await stored(user.id), 7)
    t.equal((await signIn({ counter: 8 })).component, 'accounts/show')
  })
  await t.test('that does not increase is logged, and rejected for a key that cannot be synced', async (t) => {
    const { signIn, user } = await withPasskey()
    await signIn({ counter: 7 })
    for (const counter of [7, 6, 0]) {
      const before = logged()
      t.same((await signIn({ counter })).flash, refused, String(counter))
      t.equal(logged(), before + 1)
    }
    t.equal(await stored(user.id), 7)
  })
  await t.test('that decreases is logged, and accepted for a synced key', async (t) => {
    const { signIn } = await withPasskey({ syncable: true, synced: true })
    await signIn({ counter: 7 })
    const before = logged()
    t.equal((await signIn({ counter: 3 })).component, 'accounts/show')
    t.equal(logged(), before + 1)
  })
  await t.test('that stays at zero is ignored', async (t) => {
    const { signIn } = await withPasskey()
    const before = logged()
    for (let time = 0; time < 2; time++) t.equal((await signIn({ counter: 0 })).component, 'accounts/show')
    t.equal(logged(), before)
  })
})

t.test('a malformed response is refused with the same message', async (t) => {
  const { authenticator } = await withPasskey()
  const browser = await guest()
  for (const response of malformed(authenticator.get(await requestOptions(browser)))) {
    await db.delete(rateLimits)
    const answer = await browser.request('POST', '/sign_in/passkey', { body: { response } })
    t.equal(answer.headers.location, '/sign_in', JSON.stringify(response)?.slice(0, 60))
    t.same((await browser.follow(answer)).flash, refused)
  }
  const twice = await browser.request('POST', '/sign_in/passkey?invitation=a&invitation=b', { body: {} })
  t.equal(twice.headers.location, '/sign_in')
})

t.test('a passkey cannot be precognized, nor used while signed in', async (t) => {
  const { browser, authenticator, slug } = await withPasskey()
  const visitor = await guest()
  const response = authenticator.get(await requestOptions(visitor))
  t.equal((await visitor.precognize('POST', '/sign_in/passkey', { response })).statusCode, 400)
  t.equal((await browser.submit('POST', '/sign_in/passkey', { response })).url, `/${slug}`)
})

t.test('neither logs nor pages contain anything that grants access', async (t) => {
  const { authenticator, signIn, browser } = await withPasskey()
  await signIn()
  const text = JSON.stringify([lines, await browser.visit('/settings/security')])
  t.notOk(text.includes(authenticator.id))
  t.notOk(text.includes(authenticator.userHandle ?? ''))
})
