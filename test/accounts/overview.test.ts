import { eq } from 'drizzle-orm'
import t from 'tap'
import { invitations, memberships } from '../../drizzle/schema.ts'
import { sharedApp } from '../helpers/app.ts'
import { deferredProps } from '../helpers/browser.ts'
import { invite, sharedAcme, signedIn, signedUp, verify } from '../helpers/people.ts'

t.test('managers see open invitations and who owns, others who is there', async (t) => {
  const { app, db, owner, join, account } = await sharedAcme(t)
  const [admin, member] = [await join('admin'), await join('member')]
  await invite(app, owner, '/acme', 'open@example.com')
  const late = await invite(app, owner, '/acme', 'late@example.com')
  await db.update(invitations).set({ expiresAt: app.now() }).where(eq(invitations.id, late.id))

  const { figures, people, latest_activities } = await deferredProps(admin.browser, '/acme')
  t.match(figures, { invitations: { open: 2, expired: 1 }, owners: { count: 1, names: [owner.person.name] } })
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
  const stepsAt = async (path: string) => ofCore((await deferredProps(browser, path)).first_steps)
  t.same(await stepsAt(`/${slug}`), { email: false, workspace: false })
  await verify(db, user.id)
  t.same(await stepsAt(`/${slug}`), { email: true, workspace: false })
  await browser.submit('POST', '/accounts', { name: 'Acme' })
  t.same(await stepsAt('/acme'), { email: true, workspace: true, invitation: false }, 'nobody else is there')
  await invite(app, { browser }, '/acme', 'ben@example.com')
  t.not((await stepsAt('/acme')).invitation, false, 'and no step is shown once all are done')

  const another = await signedUp(app)
  clock.forward({ minutes: 60 * 24 * 31 })
  t.same((await deferredProps(another.browser, `/${another.slug}`)).first_steps, [])
})

const ofCore = (steps: { id: string; done: boolean }[]) =>
  Object.fromEntries(
    steps.flatMap(({ id, done }) => (['email', 'workspace', 'invitation'].includes(id) ? [[id, done]] : [])),
  )

t.test('whoever is only in their personal account is asked for their team, until they have one', async (t) => {
  const { app, owner } = await sharedAcme(t)
  const { browser, slug: own } = await signedUp(app)
  const isAsked = async (path = `/${own}`) => (await deferredProps(browser, path)).asks_for_team
  t.equal(await isAsked(), true)
  await browser.submit('POST', '/accounts', { name: 'Apex' })
  t.same([await isAsked(), await isAsked('/apex')], [false, undefined])
  t.equal((await deferredProps(owner.browser, `/${owner.slug}`)).asks_for_team, false)
})

t.test('what is dismissed stays away, in every browser of that user, and nothing else does', async (t) => {
  const { app } = await sharedApp(t)
  const { browser, person, slug } = await signedUp(app)
  const headers = { referer: `http://localhost:3000/${slug}` }
  const dismiss = (name: string) => browser.request('POST', '/settings/dismissed', { body: { name }, headers })
  const elsewhere = await signedIn(app, person)
  const shown = async () => {
    const { first_steps, asks_for_team } = await deferredProps(elsewhere.browser, `/${slug}`)
    return [first_steps.length > 0, asks_for_team]
  }
  t.same(await shown(), [true, true])
  t.equal((await dismiss('first_steps')).headers.location, `/${slug}`)
  t.same(await shown(), [false, true])
  await dismiss('team')
  await dismiss('team')
  t.same(await shown(), [false, false])
  t.equal((await dismiss('other')).statusCode, 400)
})
