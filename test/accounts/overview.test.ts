import { eq } from 'drizzle-orm'
import t from 'tap'
import { invitations, memberships, sessions, users } from '../../drizzle/schema.ts'
import { passkeys } from '../../drizzle/tables/passkeys.ts'
import { sharedApp } from '../helpers/app.ts'
import type { Browser } from '../helpers/browser.ts'
import { invite, sharedAcme, signedUp, verify } from '../helpers/people.ts'

const key = { credentialId: 'x', publicKey: '', counter: 0, name: '', syncable: false, synced: false }

/** What a browser asks for after it has shown the page. */
async function deferredProps(browser: Browser, path: string) {
  const { deferredProps } = await browser.visit(path)
  const names = (deferredProps as { default: string[] }).default
  const headers = { 'x-inertia-partial-component': 'accounts/show', 'x-inertia-partial-data': names.join() }
  const { auth, errors, ...props } = (await browser.visit(path, headers)).props
  t.same(Object.keys(props).sort(), names.toSorted(), 'all of it')
  return props
}

t.test('managers see open invitations, who lacks a second factor and who owns, others who is there', async (t) => {
  const { app, db, owner, join, account } = await sharedAcme(t)
  const [admin, member] = [await join('admin'), await join('member')]
  await invite(app, owner, '/acme', 'open@example.com')
  const late = await invite(app, owner, '/acme', 'late@example.com')
  await db.update(invitations).set({ expiresAt: app.now() }).where(eq(invitations.id, late.id))
  await db.update(users).set({ secondFactorAt: app.now() }).where(eq(users.id, admin.user.id))

  const { figures, people, latest_activities } = await deferredProps(admin.browser, '/acme')
  t.same(figures, {
    invitations: { open: 2, expired: 1 },
    owners: { count: 1, names: [owner.person.name] },
    without_factor: 2,
    requires_second_factor: false,
  })
  t.equal(people, undefined)
  t.ok(latest_activities.length > 0)

  const seen = await deferredProps(member.browser, '/acme')
  t.same([seen.figures, seen.latest_activities], [undefined, undefined])
  const own = (await db.select().from(memberships).where(eq(memberships.id, member.membershipId)))[0]
  const face = ({ user, person }: typeof admin) => ({ user_id: user.id, name: person.name, picture: null })
  t.same(seen.people, {
    faces: [owner, admin, member].map(face),
    owners: { count: 1, names: [owner.person.name] },
    joined_at: own?.createdAt.toISOString(),
  })
  await db.update(memberships).set({ role: 'owner' }).where(eq(memberships.accountId, account.id))
  const { owners } = (await deferredProps(member.browser, '/acme')).figures
  t.same([owners.count, owners.names.length], [3, 3])
})

t.test('a new user sees first steps, each until it is done, and none after a month', async (t) => {
  const { app, db, clock } = await sharedApp(t)
  const { browser, user, slug } = await signedUp(app)
  const stepsAt = async (path: string) => (await deferredProps(browser, path)).first_steps
  t.same(await stepsAt(`/${slug}`), ['email', 'picture', 'passkey', 'workspace'])
  await verify(db, user.id)
  t.same(await stepsAt(`/${slug}`), ['picture', 'passkey', 'workspace'])
  await browser.submit('POST', '/accounts', { name: 'Acme' })
  t.same(await stepsAt(`/${slug}`), ['picture', 'passkey'])
  t.same(await stepsAt('/acme'), ['picture', 'passkey', 'invitation'], 'nobody else is there')

  await db.insert(passkeys).values({ userId: user.id, ...key })
  await db.update(users).set({ picture: 'x' }).where(eq(users.id, user.id))
  t.same(await stepsAt(`/${slug}`), [])
  await invite(app, { browser }, '/acme', 'ben@example.com')
  t.same(await stepsAt('/acme'), [])

  const another = await signedUp(app)
  clock.forward({ minutes: 60 * 24 * 31 })
  t.same((await deferredProps(another.browser, `/${another.slug}`)).first_steps, [])
})

t.test('a passkey is suggested to who may add one, has none, and signed in with a password', async (t) => {
  const { app, db } = await sharedApp(t)
  const { browser, user, slug, session } = await signedUp(app)
  const isOffered = async () => (await deferredProps(browser, `/${slug}`)).offer_passkey
  t.equal(await isOffered(), false, 'to nobody without a verified address')
  await verify(db, user.id)
  t.equal(await isOffered(), true)
  const isCurrent = eq(sessions.token, session)
  await db.update(sessions).set({ firstFactor: 'provider', provider: 'google' }).where(isCurrent)
  t.equal(await isOffered(), false)
  await db.update(sessions).set({ firstFactor: 'password', provider: null, secondFactor: 'code' }).where(isCurrent)
  t.equal(await isOffered(), true)
  await db.insert(passkeys).values({ userId: user.id, ...key })
  t.equal(await isOffered(), false)
})
