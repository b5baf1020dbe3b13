import { and, eq, isNull, sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { accounts, emailChanges, invitations, memberships, sessions, users } from '../../drizzle/schema.ts'
import { invitationLinks } from '../../drizzle/tables/invitation-link.ts'
import { passkeys } from '../../drizzle/tables/passkeys.ts'
import { recoveryCodes } from '../../drizzle/tables/second-factor.ts'
import { sharedApp } from '../helpers/app.ts'
import { Authenticator, register, signInWith } from '../helpers/authenticator.ts'
import { Browser } from '../helpers/browser.ts'
import { whileLocked } from '../helpers/database.ts'
import { changeEmail, invite, signedIn, signedUp, somebody, userRow, verifiedUp, verify } from '../helpers/people.ts'
import { queuedMails, recorded } from '../helpers/records.ts'
import { codeAt, start } from '../helpers/second-factor.ts'

const victim = 'victim@example.com'
const welcome = { notice: 'Welcome! You have signed up successfully' }
const taken = { email: ['has already been taken'] }

async function startClaiming(t: Test) {
  const started = await sharedApp(t)
  const { app, db } = started
  /** A new person invites the address to their account. */
  const invited = async (email: string) => {
    const inviter = await signedUp(app)
    return { ...(await invite(app, inviter, `/${inviter.slug}`, email)), slug: inviter.slug }
  }
  /** Signs up with the address through an invitation, of this address unless another one is given. */
  const claim = async ({ email = victim, name = 'Victim' } = {}, token?: string) => {
    const browser = await Browser.open(app, { ip: '10.9.9.9' })
    const invitation = token ?? (await invited(email)).token
    const fresh = { password: 'another long password', password_confirmation: 'another long password' }
    return browser.submit('POST', '/sign_up', { name, email, ...fresh, invitation })
  }
  const holderOf = (email: string) => db.select().from(users).where(eq(users.email, email))
  const resets = async () => (await queuedMails(db)).filter(({ mail }) => mail === 'password_reset')
  return { ...started, invited, claim, holderOf, resets }
}

/** Someone signed up with the victim's address. */
async function startSquatted(t: Test) {
  const started = await startClaiming(t)
  const squatter = await signedUp(started.app, { name: 'Squatter', email: victim })
  return { ...started, squatter, read: () => userRow(started.db, squatter.user.id) }
}

/** Someone with a verified address mistypes its change. */
async function startMistyped(t: Test) {
  const started = await startClaiming(t)
  const person = await signedUp(started.app, { email: 'person@example.com' })
  await verify(started.db, person.user.id)
  await changeEmail(person, 'typo@example.com')
  return { ...started, ...person }
}
const typo = { email: 'typo@example.com' }

t.test('a sign-up through an invitation claims the address from a user who never verified it', async (t) => {
  const { app, db, squatter, invited, claim, read, resets } = await startSquatted(t)
  const { token, slug } = await invited(victim)
  await squatter.browser.request('POST', '/identity/password_reset', { body: { email: victim } })
  await db.update(users).set({ language: 'ar' }).where(eq(users.id, squatter.user.id))

  const form = { ...somebody({ email: victim }), invitation: token }
  const check = await (await Browser.open(app)).precognize('POST', '/sign_up', form)
  t.equal(check.statusCode, 204, 'which is allowed ahead, too')
  const page = await claim({}, token)
  t.equal(page.url, `/${slug}`)
  t.same(page.flash, welcome)
  t.match(page.props.auth.user, { id: squatter.user.id, name: 'Victim', email: victim, verified: true })
  t.match(page.props.membership, { role: 'member' })
  t.match(await read(), { verifiedAt: Date, language: 'en' })

  t.equal((await squatter.browser.visit('/settings/profile')).component, 'auth/sign-in', 'the session is over')
  t.equal((await signedIn(app, squatter.person)).page.component, 'auth/sign-in', 'and so is the password')
  t.equal((await signedIn(app, { email: victim, password: 'another long password' })).page.component, 'accounts/show')
  t.same(await resets(), [], 'and what was asked for before')
})

t.test('older passkeys, second factors and recovery codes are removed, and data stays', async (t) => {
  const { app, db, clock, squatter, claim, read } = await startSquatted(t)
  // As someone could before a verified address was needed.
  await verify(db, squatter.user.id)
  const authenticator = new Authenticator()
  await register(squatter.browser, authenticator)
  const { secret } = await start(squatter.browser)
  await squatter.browser.submit('PATCH', '/settings/second_factor', { code: await codeAt(secret, clock.now()) })
  await db.update(users).set({ verified: false }).where(eq(users.id, squatter.user.id))

  const page = await claim()
  t.same(page.flash, welcome)
  t.match(await read(), { secondFactorAt: null, passkeyHandle: null })
  for (const table of [passkeys, recoveryCodes]) t.same(await db.select().from(table), [])
  t.equal((await signInWith(await Browser.open(app), authenticator)).component, 'auth/sign-in')
  const slugs = page.props.accounts.map(({ slug }: { slug: string }) => slug)
  t.ok(slugs.includes(squatter.slug), 'their accounts are kept')
})

t.test("other members leave the claimed user's accounts, and every way into them ends", async (t) => {
  const { app, db, squatter, claim } = await startSquatted(t)
  const friend = await signedUp(app)
  const accountId: number = (await squatter.browser.visit(`/${squatter.slug}`)).props.account.id
  await db.insert(memberships).values({ accountId, userId: friend.user.id, role: 'owner' })
  const back = await invite(app, squatter, `/${squatter.slug}`, 'eve@example.com', 'admin')
  const { flash } = await squatter.browser.submit('POST', `/${squatter.slug}/invitation_link`)
  const link = new URL(String(flash?.invitation_link)).pathname

  await claim()
  const left = await db.select().from(memberships).where(eq(memberships.accountId, accountId))
  t.equal(left.map(({ userId, role }) => `${role} ${userId}`).join(), `owner ${squatter.user.id}`)
  t.equal((await friend.browser.request('GET', `/${squatter.slug}`)).statusCode, 404)
  const eve = await verifiedUp(app, { email: 'eve@example.com' })
  for (const path of [`${back.link}/accept`, link])
    t.equal((await eve.browser.request('POST', path)).statusCode, 404, path)
  const types = (await recorded(db)).filter((activity) => activity.accountId === accountId).map(({ type }) => type)
  t.ok(types.includes('invitation_link_removed'))
})

t.test('the claimed user leaves the accounts of others, with what they sent and made there', async (t) => {
  const { app, db, squatter, claim } = await startSquatted(t)
  const eve = await verifiedUp(app)
  const [acme] = await db.insert(accounts).values({ name: 'Acme', slug: 'acme' }).returning()
  const accountId = acme?.id ?? 0
  const people = { [eve.user.id]: 'owner', [squatter.user.id]: 'admin' } as const
  for (const [userId, role] of Object.entries(people))
    await db.insert(memberships).values({ accountId, userId: Number(userId), role })
  const sent = await invite(app, squatter, '/acme', 'second@example.com', 'admin')
  const { flash } = await squatter.browser.submit('POST', '/acme/invitation_link')
  const link = new URL(String(flash?.invitation_link)).pathname

  const page = await claim()
  t.same((await db.select().from(memberships).where(eq(memberships.accountId, accountId))).length, 1)
  for (const path of [sent.link, link]) t.equal((await eve.browser.request('GET', path)).statusCode, 404, path)
  t.notOk(page.props.accounts.some(({ slug }: { slug: string }) => slug === 'acme'))
})

t.test('who claims an address always owns a personal account', async (t) => {
  const { app, db, squatter, claim, invited } = await startSquatted(t)
  // The squatter's second user owns it, and the first one is a member.
  const eve = await verifiedUp(app)
  const accountId: number = (await squatter.browser.visit(`/${squatter.slug}`)).props.account.id
  await db.insert(memberships).values({ accountId, userId: eve.user.id, role: 'owner' })
  await db.update(memberships).set({ role: 'member' }).where(eq(memberships.userId, squatter.user.id))

  const { token, slug } = await invited(victim)
  const page = await claim({ name: 'Victim' }, token)
  t.equal(page.url, `/${slug}`)
  const owned = and(eq(memberships.userId, squatter.user.id), eq(memberships.role, 'owner'))
  const places = await db
    .select({ name: accounts.name, personal: accounts.personal })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(owned)
  t.same(places, [{ name: 'Victim', personal: true }])
  t.equal(await db.$count(memberships, eq(memberships.userId, squatter.user.id)), 2)
  t.equal(await db.$count(memberships, eq(memberships.accountId, accountId)), 1)
})

t.test('a verified user is never claimed, nor anyone by another address or without a link', async (t) => {
  const { db, squatter, invited, claim, read } = await startSquatted(t)
  const { token } = await invited(victim)
  const { passwordDigest } = await read()
  t.same((await claim({}, '')).props.errors, taken)
  t.same((await claim({}, (await invited('another@example.com')).token)).props.errors, taken)
  t.match(await read(), { name: 'Squatter', passwordDigest })

  await verify(db, squatter.user.id)
  t.same((await claim({}, token)).props.errors, taken)
  t.match(await read(), { name: 'Squatter', passwordDigest })
  t.equal((await squatter.browser.visit('/settings/profile')).component, 'settings/profile')
})

t.test('a person who mistyped the change of a verified address gets that one back', async (t) => {
  const { app, db, browser, person, user, claim, resets } = await startMistyped(t)
  const page = await claim(typo)
  t.same(page.flash, welcome)
  t.not(page.props.auth.user.id, user.id, 'the newcomer is somebody else')
  t.equal(page.props.accounts.length, 2, 'with a personal account like everyone')
  t.match(await userRow(db, user.id), { email: 'person@example.com', verified: true, name: user.name })
  t.same(await db.select().from(emailChanges), [])
  t.equal((await browser.visit('/settings/profile')).component, 'auth/sign-in')
  t.equal((await signedIn(app, person)).page.component, 'auth/sign-in', 'the password is void')
  t.same(await resets(), [{ mail: 'password_reset', email: 'person@example.com' }], 'until a new one is set')
})

t.test('they get it back also from a user who never verified it', async (t) => {
  const { app, db, user, claim, holderOf } = await startMistyped(t)
  const another = await signedUp(app, { email: 'person@example.com' })
  t.same((await claim(typo)).flash, welcome)
  t.match(await holderOf('person@example.com'), [{ id: user.id }])
  t.same(await db.select().from(users).where(eq(users.id, another.user.id)), [])
})

t.test('they get it back also from a concurrent sign-up', async (t) => {
  const { db, claim, holderOf } = await startMistyped(t)
  const signUp = sql`insert into users (name, email) values ('Newcomer', 'person@example.com')`
  const page = await whileLocked(db, signUp, () => claim(typo))
  t.same(page.flash, welcome)
  t.match(await holderOf('person@example.com'), [{ verified: true }])
})

t.test('a person whose former address is gone, or verified by somebody else, is not replaced', async (t) => {
  const { app, db, claim, invited } = await startMistyped(t)
  await verifiedUp(app, { email: 'person@example.com' })
  const { token } = await invited(typo.email)
  t.same((await claim(typo, token)).props.errors, taken)
  await db.delete(emailChanges)
  await db.delete(users).where(eq(users.email, 'person@example.com'))
  t.same((await claim(typo, token)).props.errors, taken)
})

t.test('a person who left the proved address and came back to it stays signed in', async (t) => {
  const { browser, claim } = await startMistyped(t)
  await changeEmail({ browser }, 'person@example.com')
  t.same((await claim({ email: 'person@example.com' })).props.errors, taken)
  t.equal((await browser.visit('/settings/profile')).component, 'settings/profile')
})

t.test('who accepts an invitation or joins at the same moment does not stay', async (t) => {
  const { app, db, squatter, claim } = await startSquatted(t)
  const accountId: number = (await squatter.browser.visit(`/${squatter.slug}`)).props.account.id
  const [eve, friend] = [await verifiedUp(app), await verifiedUp(app)]
  const { link: invitation } = await invite(app, squatter, `/${squatter.slug}`, eve.person.email, 'admin')
  const { flash } = await squatter.browser.submit('POST', `/${squatter.slug}/invitation_link`)
  const link = new URL(String(flash?.invitation_link)).pathname
  await Promise.all([
    eve.browser.request('POST', `${invitation}/accept`),
    claim(),
    friend.browser.request('POST', link),
    squatter.browser.request('POST', `/${squatter.slug}/invitation_link`),
  ])
  t.equal(await db.$count(memberships, eq(memberships.accountId, accountId)), 1)
  const isOpen = and(eq(invitations.accountId, accountId), isNull(invitations.acceptedAt))
  t.equal(await db.$count(invitations, isOpen), 0)
  t.equal(await db.$count(invitationLinks, eq(invitationLinks.accountId, accountId)), 0)
})

t.test('of two concurrent claims, one succeeds', async (t) => {
  const { db, invited, claim, read } = await startSquatted(t)
  const links = [await invited(victim), await invited(victim)]
  const pages = await Promise.all(links.map(({ token }, index) => claim({ name: `Victim ${index}` }, token)))
  const won = pages.filter(({ flash }) => flash?.notice === welcome.notice)
  t.equal(won.length, 1)
  const refusals = pages.map(({ props }) => props.errors).filter(({ email }) => email)
  t.same(refusals, [taken])
  const { id, name } = await read()
  t.equal(name, won[0]?.props.auth.user.name)
  t.equal(await db.$count(sessions, eq(sessions.userId, id)), 1)
})

t.test('a concurrent verification keeps the user', async (t) => {
  const { db, squatter, claim, read } = await startSquatted(t)
  const verified = sql`update users set verified = true, verified_at = now() where id = ${squatter.user.id}`
  const page = await whileLocked(db, verified, () => claim())
  t.same(page.props.errors, taken)
  t.match(await read(), { name: 'Squatter', verified: true })
})
