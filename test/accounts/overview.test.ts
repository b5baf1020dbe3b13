import { eq } from 'drizzle-orm'
import t from 'tap'
import { invitations, memberships, users } from '../../drizzle/schema.ts'
import { sharedApp } from '../helpers/app.ts'
import { deferredProps } from '../helpers/browser.ts'
import { invite, sharedAcme, signedUp, verify } from '../helpers/people.ts'

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
  const ofCore = ['email', 'workspace', 'invitation']
  const stepsAt = async (path: string) =>
    (await deferredProps(browser, path)).first_steps.filter((step: string) => ofCore.includes(step))
  t.same(await stepsAt(`/${slug}`), ['email', 'workspace'])
  await verify(db, user.id)
  t.same(await stepsAt(`/${slug}`), ['workspace'])
  await browser.submit('POST', '/accounts', { name: 'Acme' })
  t.same(await stepsAt(`/${slug}`), [])
  t.same(await stepsAt('/acme'), ['invitation'], 'nobody else is there')
  await invite(app, { browser }, '/acme', 'ben@example.com')
  t.same(await stepsAt('/acme'), [])

  const another = await signedUp(app)
  clock.forward({ minutes: 60 * 24 * 31 })
  t.same((await deferredProps(another.browser, `/${another.slug}`)).first_steps, [])
})
