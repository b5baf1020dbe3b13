import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { invitations, memberships, passkeys, sessions, users } from '../../drizzle/schema.ts'
import { startApp } from '../helpers/app.ts'
import type { Browser } from '../helpers/browser.ts'
import { planOf, statementsDuring } from '../helpers/database.ts'
import { invite, sharedAcme, signedUp, startAcme, verify } from '../helpers/people.ts'

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
  const { app, db, clock } = await startApp(t)
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
  const { app, db } = await startApp(t)
  const { browser, user, slug, page } = await signedUp(app)
  const isOffered = async () => (await deferredProps(browser, `/${slug}`)).offer_passkey
  t.equal(await isOffered(), false, 'to nobody without a verified address')
  await verify(db, user.id)
  t.equal(await isOffered(), true)
  const isCurrent = eq(sessions.token, page.props.auth.session.id)
  await db.update(sessions).set({ firstFactor: 'provider', provider: 'google' }).where(isCurrent)
  t.equal(await isOffered(), false)
  await db.update(sessions).set({ firstFactor: 'password', provider: null, secondFactor: 'code' }).where(isCurrent)
  t.equal(await isOffered(), true)
  await db.insert(passkeys).values({ userId: user.id, ...key })
  t.equal(await isOffered(), false)
})

t.test('the overview of 10,000 members reads nothing of other workspaces', async (t) => {
  const { app, db } = await startApp(t)
  const { account, owner } = await startAcme(app)
  await db.execute(sql`
    with people as (
      insert into users (name, email) select 'Ana ' || n, n || '@example.com' from generate_series(1, 30000) n
      returning id
    )
    insert into memberships (account_id, user_id, role)
    select case when id % 3 = 0 then ${account.id}::bigint else ${owner.page.props.account.id}::bigint end, id, 'member'
    from people`)
  await db.execute(sql`
    insert into invitations (account_id, email, role, expires_at)
    select case when n % 20 = 0 then ${account.id}::bigint else ${owner.page.props.account.id}::bigint end,
      n || '@example.org', 'member', now() from generate_series(1, 10000) n`)
  await db.execute(sql`vacuum analyze`)
  const statements = await statementsDuring(() => deferredProps(owner.browser, '/acme'))
  const ofLists = statements.filter(({ text }) => /memberships|invitations/.test(text) && text.startsWith('select'))
  t.ok(ofLists.length >= 6)
  for (const statement of ofLists)
    t.notMatch(await planOf(db.pool, statement), /Seq Scan on (users|memberships|invitations)/, statement.text)
})
