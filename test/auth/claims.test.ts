import { and, eq, isNull, sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { accounts, emailChanges, invitations, memberships, sessions, users } from '../../drizzle/schema.ts'
import { Browser } from '../helpers/browser.ts'
import { whileLocked } from '../helpers/database.ts'
import { startClaiming, startSquatted, victim, welcome } from '../helpers/endings.ts'
import { changeEmail, invite, signedIn, signedUp, somebody, userRow, verifiedUp, verify } from '../helpers/people.ts'

const taken = { email: ['has already been taken'] }

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
  t.ok(
    page.props.accounts.some(({ slug }: { slug: string }) => slug === squatter.slug),
    'their accounts are kept',
  )
  t.match(await read(), { verifiedAt: Date, language: 'en' })

  t.equal((await squatter.browser.visit('/settings/profile')).component, 'auth/sign-in', 'the session is over')
  t.equal((await signedIn(app, squatter.person)).page.component, 'auth/sign-in', 'and so is the password')
  t.equal((await signedIn(app, { email: victim, password: 'another long password' })).page.component, 'accounts/show')
  t.same(await resets(), [], 'and what was asked for before')
})

t.test("other members leave the claimed user's accounts, and invitations to them end", async (t) => {
  const { app, db, squatter, claim } = await startSquatted(t)
  const friend = await signedUp(app)
  const accountId: number = (await squatter.browser.visit(`/${squatter.slug}`)).props.account.id
  await db.insert(memberships).values({ accountId, userId: friend.user.id, role: 'owner' })
  const back = await invite(app, squatter, `/${squatter.slug}`, 'eve@example.com', 'admin')

  await claim()
  const left = await db.select().from(memberships).where(eq(memberships.accountId, accountId))
  t.equal(left.map(({ userId, role }) => `${role} ${userId}`).join(), `owner ${squatter.user.id}`)
  t.equal((await friend.browser.request('GET', `/${squatter.slug}`)).statusCode, 404)
  const eve = await verifiedUp(app, { email: 'eve@example.com' })
  t.equal((await eve.browser.request('POST', `${back.link}/accept`)).statusCode, 404)
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

  const page = await claim()
  t.same((await db.select().from(memberships).where(eq(memberships.accountId, accountId))).length, 1)
  t.equal((await eve.browser.request('GET', sent.link)).statusCode, 404)
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

t.test('who accepts an invitation at the same moment does not stay', async (t) => {
  const { app, db, squatter, claim } = await startSquatted(t)
  const accountId: number = (await squatter.browser.visit(`/${squatter.slug}`)).props.account.id
  const eve = await verifiedUp(app)
  const { link: invitation } = await invite(app, squatter, `/${squatter.slug}`, eve.person.email, 'admin')
  await Promise.all([eve.browser.request('POST', `${invitation}/accept`), claim()])
  t.equal(await db.$count(memberships, eq(memberships.accountId, accountId)), 1)
  const isOpen = and(eq(invitations.accountId, accountId), isNull(invitations.acceptedAt))
  t.equal(await db.$count(invitations, isOpen), 0)
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
