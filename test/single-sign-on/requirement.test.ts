import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { accounts, memberships } from '../../drizzle/schema.ts'
import { asMember } from '../../features/accounts/access.ts'
import { invite as sendInvitation } from '../../features/accounts/invitations.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { call, createToken } from '../helpers/api.ts'
import { collectLines, listen, startApp } from '../helpers/app.ts'
import type { Browser } from '../helpers/browser.ts'
import { whileLocked } from '../helpers/database.ts'
import { begin, comeBack } from '../helpers/issuer.ts'
import { actorAt, challenge, changeEmail, invite, openGuest, signedIn, verifiedUp, verify } from '../helpers/people.ts'
import { startSso, userWith } from '../helpers/single-sign-on.ts'
import { accountIdentifier, isConfirmed, isRejected, openStream } from '../helpers/sse.ts'

const started = await startSso(t, {}, { liveIntervalMs: 300 })
const { app, db, clock, company, issuer, membershipIn, proveDomain, url } = started
await listen(app)

/** A workspace that requires single sign-on, and a member at its domain who signed in with a password. */
async function strict() {
  const acme = await company()
  const ana = await acme.join()
  const guest = await acme.join('admin', 'agency.test')
  await acme.require()
  const anaThere = { sub: `ana-${ana.user.id}`, email: ana.person.email }
  return { ...acme, ana, anaThere, guest }
}

t.test('only an owner whose session has passed turns the requirement on', async (t) => {
  const { owner, path, ownerThere, visit } = await company()
  const ask = (browser = owner.browser) => browser.submit('PATCH', `${path}/sso/requirement`, { required: true })
  t.same((await ask()).flash, { alert: 'Sign in with it yourself first' })
  await visit(ownerThere, { browser: owner.browser })
  const other = await signedIn(app, owner.person)
  t.same((await ask(other.browser)).flash, { alert: 'Sign in with it yourself first' }, 'in another session')
  clock.forward({ hours: 25 })
  t.same((await ask()).flash, { alert: 'Sign in with it yourself first' }, 'the pass has ended')
  await visit(ownerThere, { browser: owner.browser })
  const page = await ask()
  t.match(page, { flash: { notice: 'Single sign-on is now required' }, props: { required: true } })

  const stop = (body: object) => owner.browser.submit('PATCH', `${path}/sso/requirement`, { required: false, ...body })
  t.same((await stop({})).props.errors, { password_challenge: ['is invalid'] })
  t.match(await stop(challenge), {
    flash: { notice: 'Single sign-on is no longer required' },
    props: { required: false },
  })
})

t.test('the workspace opens to passed sessions alone, and leads others there and back', async (t) => {
  const { path, at, slug, ana, anaThere, visit } = await strict()
  const page = await ana.browser.visit(`${path}/members`)
  t.match(page, { component: 'auth/sso-start', url: at, props: { slug, return_to: `${path}/members` } })
  const write = await ana.browser.request('DELETE', `${path}/members/${ana.membershipId}`)
  t.equal(write.headers.location, at)
  const back = await visit(anaThere, { browser: ana.browser, body: { return_to: `${path}/members` } })
  t.match(back.page, { component: 'accounts/members', url: `${path}/members` })
  const other = await signedIn(app, ana.person)
  t.equal((await other.browser.visit(path)).component, 'auth/sso-start', 'another session of theirs')

  clock.forward({ hours: 23 })
  t.equal((await ana.browser.visit(path)).component, 'accounts/show')
  clock.forward({ hours: 2 })
  t.equal((await ana.browser.visit(path)).component, 'auth/sso-start', 'asked again after SSO_MAX')
  await visit(anaThere, { browser: ana.browser })
  t.equal((await ana.browser.visit(path)).component, 'accounts/show')
})

t.test('a pass that ended is noticed inside of a write', async (t) => {
  const { account, ana, anaThere, visit } = await strict()
  await visit(anaThere, { browser: ana.browser })
  const credential = (await ana.browser.visit('/settings/profile')).props.auth.session.id
  const ids = { userId: ana.user.id, accountId: account.id, credential }
  const write = () => asMember(app, ids, async () => 'written')
  t.equal(await write(), 'written')
  clock.forward({ hours: 25 })
  await t.rejects(write(), { message: 'the account requires more of this session' })
})

t.test('who was outside when it was required gets in, whatever becomes of their address', async (t) => {
  const { path, account, guest, ana, domain, owner, ownerThere, visit } = await strict()
  t.equal((await guest.browser.visit(path)).component, 'accounts/show')
  t.equal((await membershipIn(account.id, ana.user.id))?.outside, false)
  await changeEmail(ana, 'ana@agency.test')
  await verify(db, ana.user.id)
  t.equal((await ana.browser.visit(path)).component, 'auth/sso-start', 'an address that was changed lets nobody out')
  await changeEmail(guest, `guest-${guest.user.id}@${domain}`)
  t.equal((await guest.browser.visit(path)).component, 'accounts/show')

  const { members } = (await guest.browser.visit(`${path}/members`)).props
  const shown = new Map(members.map((each: { user_id: number; outside: boolean }) => [each.user_id, each.outside]))
  t.same([shown.get(guest.user.id), shown.get(ana.user.id)], [true, false], 'managers see it')
  await visit(ownerThere, { browser: owner.browser })
  t.ok((await membershipIn(account.id, guest.user.id))?.outside)
})

t.test('who accepts an invitation to another address is outside, until their domain is verified', async (t) => {
  const { owner, path, slug, account, domain, ownerThere, visit } = await strict()
  const invited = async (email: string) => {
    const someone = await verifiedUp(app, { email })
    const { link } = await invite(app, owner, path, email)
    await someone.browser.submit('POST', `${link}/accept`)
    return someone
  }
  const cleo = await invited('cleo@partner.test')
  t.equal((await cleo.browser.visit(path)).component, 'accounts/show')
  const dora = await invited(`dora@${domain}`)
  t.equal((await dora.browser.visit(path)).component, 'auth/sso-start')

  await visit(ownerThere, { browser: owner.browser })
  t.equal((await proveDomain(owner, slug, 'partner.test')).flash?.notice, 'partner.test is verified')
  t.equal((await membershipIn(account.id, cleo.user.id))?.outside, false)
  t.equal((await cleo.browser.visit(path)).component, 'auth/sso-start')
})

t.test('while it is required, only owners invite addresses elsewhere', async (t) => {
  const { owner, path, account, ana, anaThere, visit, domain, slug } = await strict()
  await db.update(memberships).set({ role: 'admin' }).where(eq(memberships.id, ana.membershipId))
  const { browser: admin } = await visit(anaThere, { browser: ana.browser })
  const token = await createToken(admin, { scope: 'write' })
  const errors = { email: [`must be at a domain of ${account.name}`] }
  const outcome = async (browser: Browser, email: string) =>
    (await browser.submit('POST', `${path}/invitations`, { email, role: 'member' })).props.errors
  t.same(await outcome(admin, 'me@private.test'), errors)
  const checked = await admin.precognize('POST', `${path}/invitations`, { email: 'me@private.test', role: 'member' })
  t.match(checked.json(), { errors })
  const api = `/accounts/${slug}/invitations`
  const body = { email: 'me@private.test', role: 'member' }
  t.match((await call(app, token, 'POST', api, body)).json(), { errors })
  t.same(await outcome(admin, `colleague@${domain}`), {})
  t.equal((await call(app, token, 'POST', api, { ...body, email: `another@${domain}` })).statusCode, 201)
  t.same(await outcome(owner.browser, 'client@private.test'), {})

  const again = async (browser: Browser) => {
    const { invitations: rows } = (await owner.browser.visit(`${path}/members`)).props
    const id = rows.find(({ email }: { email: string }) => email === 'client@private.test')?.id
    return (await browser.submit('POST', `${path}/invitations/${id}/resend`)).props.errors
  }
  t.same(await again(admin), errors)
  t.same(await again(owner.browser), {})

  const { auth } = (await admin.visit(path)).props
  const actor = { ...actorAt(account, ana), credential: auth.session.id }
  const requires = (requireSingleSignOn: boolean, by: Tx | Database = db) =>
    by.update(accounts).set({ requireSingleSignOn }).where(eq(accounts.id, account.id))
  await requires(false)
  const send = () => sendInvitation(app, actor, { email: 'late@private.test', role: 'member' }).catch((error) => error)
  const lock = sql`select from accounts where id = ${account.id} for update`
  const refused = await whileLocked(db, lock, send, (tx) => requires(true, tx))
  t.match(refused, { errors: { email: [{ text: /must be at a domain of/ }] } }, 'required while it was being sent')
})

t.test('streams are rejected once it is required, and when the pass ends', async (t) => {
  const { slug, visit, require, join } = await company()
  const ana = await join()
  const channel = [accountIdentifier(slug)]
  const open = await openStream(t, app, ana.browser, channel)
  await open.next(isConfirmed)
  await require()
  await open.next(isRejected)

  await visit({ sub: `ana-${ana.user.id}`, email: ana.person.email }, { browser: ana.browser })
  const passed = await openStream(t, app, ana.browser, channel)
  await passed.next(isConfirmed)
  clock.forward({ hours: 25 })
  await passed.next(isRejected)
})

t.test('a token keeps what its session had passed, while its person passes again and again', async (t) => {
  const { slug, ana, anaThere, guest, visit, owner, ownerThere, account } = await strict()
  const status = async (token: string) => (await call(app, token, 'GET', `/accounts/${slug}`)).statusCode
  const before = await createToken(ana.browser)
  t.equal(await status(before), 403, 'its session had passed nothing')
  await visit(anaThere, { browser: ana.browser })
  t.equal(await status(before), 403)
  const after = await createToken(ana.browser)
  t.equal(await status(after), 200)
  const outside = await createToken(guest.browser)
  t.equal(await status(outside), 200)

  clock.forward({ days: 29 })
  t.equal(await status(after), 200)
  clock.forward({ days: 2 })
  t.equal(await status(after), 403, 'nobody passed for 30 days')
  await visit(anaThere, { browser: ana.browser })
  t.equal(await status(after), 200)
  await db.update(memberships).set({ outside: false }).where(eq(memberships.userId, guest.user.id))
  t.equal(await status(outside), 403, 'not outside any more')

  await visit(ownerThere, { browser: owner.browser })
  await owner.browser.submit('PATCH', `/${slug}/sso/requirement`, { required: false, ...challenge })
  await owner.browser.submit('DELETE', `/${slug}/sso`, challenge)
  await db.update(accounts).set({ requireSingleSignOn: true }).where(eq(accounts.id, account.id))
  t.equal(await status(after), 403, 'another connection')
})

t.test('two tabs: the second answer finds another token, and is asked again', async (t) => {
  const { at, path, ana, anaThere } = await strict()
  const first = issuer.back(await begin(ana.browser, {}, at), anaThere)
  const second = issuer.back(await begin(ana.browser, {}, at), anaThere)
  t.equal((await comeBack(ana.browser, first)).page.url, path)
  t.equal((await comeBack(ana.browser, second)).page.flash?.alert, "Single sign-on didn't work. Try again")
  t.equal((await ana.browser.visit(path)).component, 'accounts/show')
})

t.test('SSO=off: no route, no link, no requirement, and the boot says so', async (t) => {
  const { slug, path, ana, employee, visit } = await strict()
  const bo = employee()
  const { browser } = await visit(bo)
  t.ok(await userWith(db, bo.email))
  const { lines, logTo } = collectLines()
  const { app: off } = await startApp(t, { SSO: 'off', DATABASE_URL: url }, { logTo })
  await off.ready()
  t.ok(
    lines.some(({ msg }) =>
      /Single sign-on is off, but (1 workspace requires|\d{2,} workspaces require|[2-9] workspaces require) it/.test(
        msg,
      ),
    ),
  )
  const guest = await openGuest(off)
  t.equal((await guest.visit('/sign_in')).props.sso, undefined)
  for (const closed of ['/sign_in/sso', `/sign_in/sso/${slug}`, `/sign_in/sso/${slug}/callback`])
    t.equal((await guest.request('GET', closed)).statusCode, 404, closed)
  t.equal((await ana.browser.copy(off).visit(path)).component, 'accounts/show')
  t.equal((await browser.copy(off).request('GET', `${path}/sso`)).statusCode, 404)
  t.notOk('sso' in (await browser.copy(off).visit('/settings/security')).props)
})
