import { eq } from 'drizzle-orm'
import t from 'tap'
import { sessions, users } from '../../drizzle/schema.ts'
import { identities } from '../../drizzle/tables/providers.ts'
import { collectLines, startApp } from '../helpers/app.ts'
import type { Browser } from '../helpers/browser.ts'
import { begin, comeBack, type Lies, type Person, startIssuer } from '../helpers/issuer.ts'
import { openGuest, signedIn, signedUp, somebody, verifiedUp } from '../helpers/people.ts'
import { environmentOf } from '../helpers/providers.ts'
import { queuedMails, recorded, typesOf } from '../helpers/records.ts'
import { withSecondFactor } from '../helpers/second-factor.ts'

const issuer = await startIssuer(t)
const { lines, logTo } = collectLines()
const { app, db, clock } = await startApp(t, { ...environmentOf(issuer.url), LOG_LEVEL: 'info' }, { logTo })

let count = 0
function stranger(more: Person = {}): Person & { sub: string; email: string } {
  const name = `Bo ${++count}`
  const email = `bo-${count}@example.com`
  return { sub: `subject-${count}`, email, email_verified: true, name, ...more }
}

/** Goes to the provider and comes back as this person. */
async function signIn(person: Person, { browser, ...more }: { browser?: Browser; body?: object; lies?: Lies } = {}) {
  const visitor = browser ?? (await openGuest(app))
  return { browser: visitor, ...(await issuer.visit(visitor, person, more)) }
}

/** Signs up with the provider. */
async function join(person = stranger()) {
  const { browser } = await signIn(person)
  const page = await browser.submit('POST', '/sign_up/with/oidc', { name: person.name })
  return { browser, page, person, user: page.props.auth.user }
}

/** Connects an identity, without asking the provider. */
const identify = (user: { id: number }, subject: string) =>
  db.insert(identities).values({ userId: user.id, provider: 'oidc', issuer: issuer.url, subject })

const userWith = async (email: string) => (await db.select().from(users).where(eq(users.email, email)))[0]
const isAskedToVerify = async (user: { id: number }) =>
  (await queuedMails(db)).some(({ mail, userId }) => mail === 'email_verification' && userId === user.id)
const ofProvider = () => lines.filter(({ event }) => event === 'provider')

t.test('the sign-in page names the providers, and starts lead there with PKCE, state and nonce', async (t) => {
  const browser = await openGuest(app)
  for (const path of ['/sign_in', '/sign_up']) {
    t.same((await browser.visit(path)).props.providers, [{ id: 'oidc', name: 'Acme ID' }])
  }
  const url = new URL(await begin(browser))
  t.equal(url.origin + url.pathname, `${issuer.url}/authorize`)
  t.match(Object.fromEntries(url.searchParams), {
    response_type: 'code',
    client_id: 'accounts',
    scope: 'openid email profile',
    redirect_uri: 'http://localhost:3000/sign_in/with/oidc/callback',
    code_challenge_method: 'S256',
    code_challenge: /^[\w-]{43}$/,
    state: /^[\w-]{43}$/,
    nonce: /^[\w-]{43}$/,
  })
  const plain = await browser.send('POST', '/sign_in/with/oidc', { body: {}, headers: browser.csrfHeader() })
  t.equal(plain.statusCode, 302, 'a form without the protocol is redirected')
})

t.test('a stranger with a proved address gives a name, and is verified without a password', async (t) => {
  const person = stranger()
  const { browser, page } = await signIn(person)
  t.equal(page.component, 'auth/provider')
  const { name, email } = person
  t.match(page.props, { provider: { id: 'oidc', name: 'Acme ID' }, name, email, proved: true, taken: false })
  const blank = await browser.submit('POST', '/sign_up/with/oidc', { name: ' ' })
  t.same(blank.props.errors, { name: ["can't be blank"] })
  t.equal((await browser.precognize('POST', '/sign_up/with/oidc', { name: '' })).statusCode, 422)
  t.equal((await browser.precognize('POST', '/sign_up/with/oidc', { name: 'Bo' })).statusCode, 204)

  const welcome = await browser.submit('POST', '/sign_up/with/oidc', { name: 'Bo', email: 'other@example.com' })
  t.equal(welcome.component, 'accounts/show')
  t.same(welcome.flash, { notice: 'Welcome! You have signed up successfully' })
  t.match(await userWith(person.email), { name: 'Bo', verified: true, passwordDigest: null })
  t.equal(await userWith('other@example.com'), undefined, 'a proved address cannot be replaced')
  const [session] = await db.select().from(sessions).where(eq(sessions.userId, welcome.props.auth.user.id))
  t.match(session, { firstFactor: 'provider', provider: 'oidc' })
  const types = await typesOf(db, welcome.props.auth.user.id)
  t.same(types.sort(), ['account_created', 'signed_up'])
  t.notOk(await isAskedToVerify(welcome.props.auth.user))
})

t.test('a stranger whose address is not proved may give another, which is verified by mail', async (t) => {
  const { browser, page } = await signIn(stranger({ email_verified: 'true' }))
  t.match(page.props, { proved: false, taken: false })
  const taken = await signedUp(app)
  const refused = await browser.submit('POST', '/sign_up/with/oidc', { name: 'Bo', email: taken.person.email })
  t.same(refused.props.errors, { email: ['has already been taken'] })
  const welcome = await browser.submit('POST', '/sign_up/with/oidc', { name: 'Bo', email: 'Mine@Example.com' })
  t.equal(welcome.component, 'accounts/show')
  t.match(await userWith('mine@example.com'), { verified: false, passwordDigest: null })
  t.ok(await isAskedToVerify(welcome.props.auth.user))
})

t.test('a known person is signed in, whatever their address at the provider is by now', async (t) => {
  const { person, user } = await join()
  const other = await verifiedUp(app)
  const { page } = await signIn({ ...person, email: other.person.email, name: 'Changed' })
  t.equal(page.component, 'accounts/show')
  t.same(page.flash, { notice: 'Signed in successfully' })
  t.equal(page.props.auth.user.id, user.id)
  const activity = (await recorded(db)).at(-1)
  t.equal(activity?.userId, user.id)
  t.match(activity, { type: 'signed_in', ipAddress: /^198\.51\./, userAgent: /Chrome/ })
  const [identity] = await db.select().from(identities).where(eq(identities.userId, user.id))
  t.match(identity, { subject: person.sub, issuer: issuer.url, email: other.person.email, name: 'Changed' })
  t.ok(identity?.lastUsedAt)
})

t.test('a sign-in leads to the page that was asked for, and who is signed in begins none', async (t) => {
  const { person } = await join()
  const wanted = await signIn(person, { body: { return_to: '/settings/sessions' } })
  t.equal(wanted.page.component, 'settings/sessions')
  t.equal(wanted.page.props.sessions.at(0).method, 'provider:oidc')
  for (const path of ['/settings/sessions', '/settings/activity']) {
    t.same((await wanted.browser.visit(path)).props.providers, [{ id: 'oidc', name: 'Acme ID' }], 'whose name it says')
  }
  const again = await wanted.browser.request('POST', '/sign_in/with/oidc', { body: {} })
  t.equal(again.headers.location, '/')
})

t.test('a user with a second factor is asked for it after the provider, and the session records both', async (t) => {
  const someone = await withSecondFactor({ app, clock })
  const person = stranger({ email: 'thief@example.com' })
  await identify(someone.user, person.sub)
  const read = async () => (await db.select().from(identities).where(eq(identities.subject, person.sub)))[0]
  const { browser, page } = await signIn(person, { body: { return_to: '/settings/sessions' } })
  t.equal(page.component, 'auth/second-factor')
  t.equal((await browser.visit('/settings/profile')).component, 'auth/sign-in', 'nothing is open before')
  await browser.submit('POST', '/sign_in/verify', { code: await someone.wrong() })
  t.match(await read(), { email: null, name: null, lastUsedAt: null }, 'nor is stored what the provider says')
  const verified = await browser.submit('POST', '/sign_in/verify', { code: await someone.code() })
  t.equal(verified.component, 'settings/sessions')
  t.equal(verified.props.sessions.at(0).method, 'provider:oidc_and_code')
  t.match(await read(), { email: person.email, name: person.name, lastUsedAt: Date })
})

t.test('the address of a verified user connects nothing by itself, and signs nobody in', async (t) => {
  const owner = await verifiedUp(app)
  const person = stranger({ email: owner.person.email })
  const { browser, page } = await signIn(person)
  t.match(page.props, { proved: true, taken: true, email: owner.person.email })
  const tried = await browser.submit('POST', '/sign_up/with/oidc', { name: 'Thief' })
  t.equal(tried.component, 'auth/sign-in')
  t.equal(await db.$count(identities, eq(identities.userId, owner.user.id)), 0)
  const unproved = await signIn(stranger({ email: owner.person.email, email_verified: false }))
  t.match(unproved.page.props, { proved: false, taken: false }, 'which is said for a proved address only')

  t.test('until they sign in and say so', async (t) => {
    const { email, password } = owner.person
    await browser.submit('POST', '/sign_in', { email, password })
    const security = await browser.visit('/settings/security')
    t.same(security.props.connectable, { id: 'oidc', name: 'Acme ID' })
    const connected = await browser.submit('POST', '/settings/identities')
    t.same(connected.flash, { notice: 'Acme ID is connected' })
    const [identity, ...others] = connected.props.identities
    t.match(identity, { provider: 'oidc', email, name: person.name, last_used_at: null })
    t.same(others, [])
    t.notOk('connectable' in connected.props)
    t.equal((await signIn(person)).page.component, 'accounts/show')
  })
})

t.test('an arrival from a provider is used once, however often its cookie is copied', async (t) => {
  const person = stranger()
  const { browser } = await signIn(person)
  const copy = browser.copy()
  const { user } = (await browser.submit('POST', '/sign_up/with/oidc', { name: 'Bo' })).props.auth
  await db.delete(users).where(eq(users.id, user.id))
  const again = await copy.submit('POST', '/sign_up/with/oidc', { name: 'Bo' })
  t.same(again.flash, { alert: "Acme ID didn't work. Try again" })
  t.equal(await userWith(person.email), undefined)

  const owner = await verifiedUp(app)
  const arrived = await signIn(stranger({ email: owner.person.email }))
  const { email, password } = owner.person
  await arrived.browser.submit('POST', '/sign_in', { email, password })
  const later = arrived.browser.copy()
  const [identity] = (await arrived.browser.submit('POST', '/settings/identities')).props.identities
  await arrived.browser.submit('DELETE', `/settings/identities/${identity.id}`, { password_challenge: password })
  const replayed = await later.submit('POST', '/settings/identities')
  t.same(replayed.flash, {})
  t.same(replayed.props.identities, [])
})

t.test('a proved address is claimed from an unverified user, whose credentials stop working', async (t) => {
  const squatter = await signedUp(app)
  await identify(squatter.user, 'squatter')
  const person = stranger({ email: squatter.person.email })
  const { browser, page } = await signIn(person)
  t.match(page.props, { proved: true, taken: false })
  const welcome = await browser.submit('POST', '/sign_up/with/oidc', { name: 'Owner' })
  t.equal(welcome.props.auth.user.id, squatter.user.id)
  t.match(await userWith(person.email), { name: 'Owner', verified: true, passwordDigest: null })
  t.equal((await squatter.browser.visit('/settings/profile')).component, 'auth/sign-in')
  t.equal((await signedIn(app, squatter.person)).page.component, 'auth/sign-in')
  t.equal((await signIn({ ...person, sub: 'squatter', email: 'x@example.com' })).page.component, 'auth/provider')
})

t.test('two concurrent callbacks of one identity create one user', async (t) => {
  const person = stranger()
  const [one, two] = [await signIn(person), await signIn(person)]
  const sent = [one, two].map(({ browser }) => browser.submit('POST', '/sign_up/with/oidc', { name: 'Bo' }))
  const pages = await Promise.all(sent)
  t.same(pages.map(({ component }) => component).sort(), ['accounts/show', 'auth/sign-in'])
  t.equal(await db.$count(users, eq(users.email, person.email)), 1)
  t.equal(await db.$count(identities, eq(identities.subject, person.sub)), 1)
})

t.test('up to four sign-ins can be started at the same time, and each completes once', async (t) => {
  const { person } = await join()
  const browser = await openGuest(app)
  const ways: string[] = []
  for (let tab = 0; tab < 5; tab++) ways.push(issuer.back(await begin(browser), person))
  const [first = '', second = '', third = ''] = ways
  const copy = browser.copy()

  const failed = { alert: "Acme ID didn't work. Try again" }
  t.same((await comeBack(browser, first)).page.flash, failed, 'the oldest of five has made way')
  t.equal((await comeBack(browser, second)).page.component, 'accounts/show')
  t.same((await comeBack(copy, second)).page.flash, failed, 'a copy of the cookie is worth nothing')
  const { response } = await comeBack(browser, third)
  t.equal(response.headers.location, '/', 'somebody who signed in meanwhile goes home')
  const reasons = ofProvider().flatMap(({ reason }) => reason ?? [])
  t.same(reasons.slice(-2), ['state_unknown', 'state_spent'])
})

t.test('a start ends after ten minutes, and so does a pending identity', async (t) => {
  const browser = await openGuest(app)
  const way = issuer.back(await begin(browser), stranger())
  clock.forward({ minutes: 10 })
  t.equal((await comeBack(browser, way)).page.component, 'auth/sign-in')
  const signedIn = await signIn(stranger())
  clock.forward({ minutes: 10 })
  t.equal((await signedIn.browser.visit('/sign_in/with/oidc')).component, 'auth/sign-in')
  const late = await signedIn.browser.submit('POST', '/sign_up/with/oidc', { name: 'Late' })
  t.equal(late.component, 'auth/sign-in')
})

t.test('cancelling at the provider is reported, and can be retried', async (t) => {
  const { page } = await signIn(stranger(), { lies: { back: { error: 'access_denied' } } })
  t.equal(page.component, 'auth/sign-in')
  t.same(page.flash, { alert: 'You cancelled Acme ID' })
})

t.test('a provider that is not configured is a 404', async (t) => {
  const browser = await openGuest(app)
  for (const [method, url] of [
    ['POST', '/sign_in/with/google'],
    ['POST', '/sign_in/with/nobody'],
    ['POST', '/sign_up/with/google'],
    ['GET', '/sign_in/with/google'],
    ['GET', '/sign_in/with/google/callback'],
  ] as const) {
    const response = await browser.request(method, url, method === 'GET' ? {} : { body: {} })
    t.equal(response.statusCode, 404, `${method} ${url}`)
  }
})

t.test('no line of the log has an address, a subject, a token, a code or a state of a provider', async (t) => {
  const person = stranger({ name: 'Log Reader' })
  const { browser } = await signIn(person)
  await browser.submit('POST', '/sign_up/with/oidc', { name: somebody().name })
  await signIn(person, { lies: { claims: (claims) => ({ ...claims, aud: 'other' }) } })
  const log = lines.map((line) => JSON.stringify(line)).join('\n')
  t.match(log, /"provider":"oidc"/)
  for (const secret of [person.email, person.sub, 'access-', 'code-', 'state=', 'eyJ', 'Log Reader']) {
    t.notOk(log.includes(secret), secret)
  }
})
