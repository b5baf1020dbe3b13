import { eq } from 'drizzle-orm'
import t from 'tap'
import { accounts, memberships, sessions } from '../../drizzle/schema.ts'
import { apiTokens } from '../../drizzle/tables/api.ts'
import { trustedBrowsers } from '../../drizzle/tables/second-factor.ts'
import { call, createToken } from '../helpers/api.ts'
import { listen } from '../helpers/app.ts'
import type { Browser } from '../helpers/browser.ts'
import { Authenticator, addPasskey, register, requestOptions, signInWith } from '../helpers/passkeys.ts'
import { addMember, challenge, openGuest, password, signedIn } from '../helpers/people.ts'
import { codeAt, enable, halfway } from '../helpers/second-factor.ts'
import { startSso } from '../helpers/single-sign-on.ts'
import { accountIdentifier, isConfirmed, isRejected, openStream } from '../helpers/sse.ts'

const { app, db, clock, company } = await startSso(t, {}, { liveIntervalMs: 300 })
await listen(app)

/** A workspace with a second owner at its domain, who signed in with a password. */
async function twoOwners() {
  const acme = await company()
  const second = await acme.join('owner')
  const pass = () => acme.visit({ sub: `s-${second.user.id}`, email: second.person.email }, { browser: second.browser })
  const opens = async (browser: Browser) => (await browser.visit(acme.path)).component === 'accounts/show'
  return { ...acme, second, membershipId: second.membershipId, pass, opens }
}

/** Signs in with the password and the next code. */
async function signInWithCode(person: { email: string }, secret: string, more: object = {}) {
  clock.forward({ seconds: 30 })
  const { browser } = await halfway(app, person)
  await browser.submit('POST', '/sign_in/verify', { code: await codeAt(secret, clock.now()), ...more })
  return browser
}

t.test('a factor from before the requirement counts in sessions, tokens and streams, and can end it', async (t) => {
  const { path, slug, second, membershipId, require, opens, join } = await twoOwners()
  const { secret } = await enable(second.browser, { clock })
  const token = await createToken(second.browser)
  await require()
  t.ok(await opens(second.browser), 'as it began with two factors')
  const browser = await signInWithCode(second.person, secret)
  t.ok(await opens(browser))
  const status = async () => (await call(app, token, 'GET', `/accounts/${slug}`)).statusCode
  t.equal(await status(), 200)
  await (await openStream(t, app, browser, [accountIdentifier(slug)])).next(isConfirmed)
  await db.update(memberships).set({ role: 'admin' }).where(eq(memberships.id, membershipId))
  t.equal(await status(), 403, 'for owners alone')
  t.equal((await browser.visit(path)).component, 'auth/sso-start')
  await db.update(memberships).set({ role: 'owner' }).where(eq(memberships.id, membershipId))
  const page = await browser.submit('PATCH', `${path}/sso/requirement`, { required: false, ...challenge })
  t.same(page.flash, { notice: 'Single sign-on is no longer required' })

  const admin = await join('admin')
  await enable(admin.browser, { clock })
  await require()
  t.notOk(await opens(admin.browser), 'others do not get in by it')
})

t.test('a factor that whoever knows the password sets up opens nothing for 72 hours', async (t) => {
  for (const kind of ['app', 'passkey'] as const) {
    const { path, slug, account, second, require, opens } = await twoOwners()
    await require()
    const { browser } = await signedIn(app, second.person)
    const without = (await browser.visit(path)).props
    t.same([without.second_factor, without.second_factor_from], [undefined, undefined], 'no factor')
    const authenticator = new Authenticator()
    const secret = kind === 'app' ? (await enable(browser, { clock })).secret : ''
    if (kind === 'passkey') await register(browser, authenticator)
    const from = new Date(clock.now().getTime() + 72 * 3_600_000)

    const again = kind === 'app' ? await signInWithCode(second.person, secret) : await openGuest(app)
    if (kind === 'passkey') await signInWith(again, authenticator)
    const token = await createToken(again)
    const status = async () => (await call(app, token, 'GET', `/accounts/${slug}`)).statusCode
    for (const used of [browser, again]) {
      const { component, props } = await used.visit(path)
      t.equal(component, 'auth/sso-start', kind)
      t.equal(props.second_factor, undefined)
      t.ok(Math.abs(Date.parse(props.second_factor_from) - from.getTime()) < 10_000)
      const ended = await used.request('PATCH', `${path}/sso/requirement`, { body: { required: false, ...challenge } })
      t.equal(ended.headers.location, `/sign_in/sso/${slug}`)
    }
    t.equal(await status(), 403)
    await (await openStream(t, app, again, [accountIdentifier(slug)])).next(isRejected)
    const [row] = await db.select().from(accounts).where(eq(accounts.id, account.id))
    t.equal(row?.requireSingleSignOn, true)

    clock.forward({ hours: 71 })
    t.notOk(await opens(again))
    clock.forward({ hours: 2 })
    t.ok(await opens(again), 'nobody is locked out for good')
    t.equal(await status(), 200)
  }
})

t.test('a factor that is set up in a session to which the workspace is open counts at once', async (t) => {
  const { second, pass, require, opens } = await twoOwners()
  await require()
  await pass()
  const { secret } = await enable(second.browser, { clock })
  const { authenticator } = await addPasskey(second.browser)
  t.ok(await opens(await signInWithCode(second.person, secret)))
  const byPasskey = await openGuest(app)
  await signInWith(byPasskey, authenticator)
  t.ok(await opens(byPasskey))

  const other = await twoOwners()
  await addMember(db, other.account.id, second, 'owner')
  await other.require()
  t.equal((await byPasskey.visit(other.path)).component, 'accounts/show', 'it is older than this requirement')
  await other.owner.browser.submit('PATCH', `${other.path}/sso/requirement`, { required: false, ...challenge })
})

t.test(
  'the way to the second step is shown where a factor counts, another one than that of the session, too',
  async (t) => {
    const { path, second, require, opens } = await twoOwners()
    const { secret } = await enable(second.browser, { clock })
    await require()
    const thief = await signInWithCode(second.person, secret)
    t.ok(await opens(thief))
    const authenticator = new Authenticator()
    await register(thief, authenticator)
    await db.delete(sessions).where(eq(sessions.userId, second.user.id))

    const { browser } = await halfway(app, second.person)
    const response = authenticator.get(await requestOptions(browser))
    await browser.submit('POST', '/sign_in/verify', { response, trust: true })
    // What counts is how it was set up, and this one in a session that the workspace was open to.
    t.ok(await opens(browser))

    const late = new Authenticator()
    await register((await signedInOnce()).browser, late)
    const byLate = await openGuest(app)
    await signInWith(byLate, late)
    const { component, props } = await byLate.visit(path)
    t.match([component, props.second_factor, props.second_factor_from], ['auth/sso-start', true, undefined])
    t.equal((await byLate.visit('/sign_in/verify')).component, 'auth/second-factor')
    clock.forward({ seconds: 30 })
    await byLate.submit('POST', '/sign_in/verify', { code: await codeAt(secret, clock.now()) })
    t.ok(await opens(byLate), 'now with the older one')
    t.equal((await byLate.visit('/sign_in/verify')).url === '/sign_in/verify', false, 'and nothing more is asked')

    // A browser that was trusted with a factor counts as that factor does.
    const trusting = await halfway(app, second.person)
    await trusting.browser.submit('POST', '/sign_in/verify', {
      response: late.get(await requestOptions(trusting.browser)),
      trust: true,
    })
    await db.delete(sessions).where(eq(sessions.userId, second.user.id))
    await trusting.browser.visit('/sign_in')
    await trusting.browser.submit('POST', '/sign_in', { email: second.person.email, password })
    const { sessions: listed } = (await trusting.browser.visit('/settings/sessions')).props
    t.match(listed[0].method, /trusted_browser/)
    t.notOk(await opens(trusting.browser))

    /** A session with one factor, as a thief has it who knows a password and skips the second step. */
    async function signedInOnce() {
      const one = await signInWithCode(second.person, secret)
      const { auth } = (await one.visit('/settings/profile')).props
      const values = { secondFactor: null, twoFactorsSince: null, method: 'password' }
      await db.update(sessions).set(values).where(eq(sessions.token, auth.session.id))
      return { browser: one }
    }
  },
)

t.test('what began before that was recorded counts as the newest factor does', async (t) => {
  const { slug, second, require, opens } = await twoOwners()
  const { secret } = await enable(second.browser, { clock })
  await require()
  const browser = await signInWithCode(second.person, secret, { trust: true })
  const token = await createToken(browser)
  for (const table of [sessions, trustedBrowsers, apiTokens])
    await db.update(table).set({ twoFactorsSince: null }).where(eq(table.userId, second.user.id))
  const status = async () => (await call(app, token, 'GET', `/accounts/${slug}`)).statusCode
  t.ok(await opens(browser))
  t.equal(await status(), 200)
  await db.update(accounts).set({ singleSignOnRequiredAt: null }).where(eq(accounts.slug, slug))
  t.notOk(await opens(browser), 'where it is not known since when it is required, 72 hours decide')
  t.equal(await status(), 403)
  clock.forward({ hours: 73 })
  t.ok(await opens(browser))
})
