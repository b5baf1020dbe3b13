import { eq, sql } from 'drizzle-orm'
import t, { type Test } from 'tap'
import {
  emailChanges,
  invitations,
  memberships,
  passkeys,
  recoveryCodes,
  sessions,
  users,
} from '../../drizzle/schema.ts'
import { sharedApp } from '../helpers/app.ts'
import { Authenticator, register, signInWith } from '../helpers/authenticator.ts'
import { Browser } from '../helpers/browser.ts'
import { untilWaiting } from '../helpers/database.ts'
import { password, signedIn, signedUp, somebody, tokenOf, verifiedUp, verify } from '../helpers/people.ts'
import { queuedMails } from '../helpers/records.ts'
import { codeAt, start } from '../helpers/second-factors.ts'

const victim = 'victim@example.com'
const welcome = { notice: 'Welcome! You have signed up successfully' }
const taken = { email: ['has already been taken'] }

/** Someone signed up with the victim's address. An owner invites that address to Acme. */
async function startSquatted(t: Test) {
  const started = await sharedApp(t)
  const { app, db } = started
  const squatter = await signedUp(app, { name: 'Squatter', email: victim })
  const owner = await signedUp(app)
  const invite = async (who = owner, email = victim) => {
    const { props } = await who.browser.submit('POST', '/accounts', { name: 'Acme' })
    await who.browser.submit('POST', `/${props.account.slug}/invitations`, { email, role: 'member' })
    const all = await db.select().from(invitations).orderBy(invitations.id)
    return { link: await tokenOf(app, all.at(-1)?.id ?? 0), slug: props.account.slug as string }
  }
  const claim = async (link: string, more: object = {}) => {
    const browser = await Browser.open(app, { ip: '10.9.9.9' })
    const newcomer = { ...somebody({ name: 'Victim', email: victim }), password: 'another long password' }
    const body = { ...newcomer, password_confirmation: newcomer.password, invitation: link, ...more }
    return { browser, body, page: await browser.submit('POST', '/sign_up', body) }
  }
  const read = async () => (await db.select().from(users).where(eq(users.id, squatter.user.id)))[0]
  return { ...started, squatter, owner, invite, claim, read }
}

type Started = Awaited<ReturnType<typeof startSquatted>>

/** Someone with a verified address who mistypes its change. */
async function signUpAndMistype({ app, db }: Pick<Started, 'app' | 'db'>) {
  const person = await signedUp(app, { email: 'person@example.com' })
  await verify(db, person.user.id)
  const change = { email: 'typo@example.com', password_challenge: password }
  await person.browser.submit('PATCH', '/settings/email', change)
  return person
}

t.test('a sign-up through an invitation claims the address from a user who never verified it', async (t) => {
  const { app, db, squatter, invite, claim, read } = await startSquatted(t)
  const { link, slug } = await invite()
  await squatter.browser.request('POST', '/identity/password_reset', { body: { email: victim } })
  await db.update(users).set({ language: 'ar' }).where(eq(users.id, squatter.user.id))

  const check = await (await Browser.open(app)).precognize('POST', '/sign_up', {
    ...somebody({ email: victim }),
    invitation: link,
  })
  t.equal(check.statusCode, 204, 'which is allowed ahead, too')
  const { page } = await claim(link)
  t.equal(page.url, `/${slug}`)
  t.same(page.flash, welcome)
  t.match(page.props.auth.user, { id: squatter.user.id, name: 'Victim', email: victim, verified: true })
  t.match(page.props.membership, { role: 'member' })
  t.match(await read(), { verifiedAt: Date, language: 'en' })

  t.equal((await squatter.browser.visit('/settings/profile')).component, 'auth/sign-in', 'the session is over')
  t.equal((await signedIn(app, squatter.person)).page.component, 'auth/sign-in', 'and so is the password')
  t.equal((await signedIn(app, { email: victim, password: 'another long password' })).page.component, 'accounts/show')
  t.same(
    (await queuedMails(db)).filter(({ mail }) => mail === 'password_reset'),
    [],
    'and what was asked for before',
  )
})

t.test('older passkeys, second factors and recovery codes are removed, and data stays', async (t) => {
  const { app, db, clock, squatter, invite, claim, read } = await startSquatted(t)
  // As someone could before a verified address was needed.
  await verify(db, squatter.user.id)
  const authenticator = new Authenticator()
  await register(squatter.browser, authenticator)
  const { secret } = await start(squatter.browser)
  await squatter.browser.submit('PATCH', '/settings/second_factor', { code: await codeAt(secret, clock.now()) })
  await db.update(users).set({ verified: false }).where(eq(users.id, squatter.user.id))

  const { page } = await claim((await invite()).link)
  t.same(page.flash, welcome)
  t.match(await read(), { secondFactorAt: null, passkeyHandle: null })
  for (const table of [passkeys, recoveryCodes]) t.same(await db.select().from(table), [])
  const guest = await Browser.open(app)
  t.equal((await signInWith(guest, authenticator)).component, 'auth/sign-in')
  t.ok(
    page.props.accounts.some(({ slug }: { slug: string }) => slug === squatter.slug),
    'their accounts are kept',
  )
})

t.test("other members leave the claimed user's accounts, and open invitations to them end", async (t) => {
  const { app, db, squatter, invite, claim } = await startSquatted(t)
  const friend = await signedUp(app)
  const [membership] = await db.select().from(memberships).where(eq(memberships.userId, squatter.user.id))
  const accountId = membership?.accountId ?? 0
  await db.insert(memberships).values({ accountId, userId: friend.user.id, role: 'owner' })
  await squatter.browser.submit('POST', `/${squatter.slug}/invitations`, { email: 'eve@example.com', role: 'admin' })
  const [back] = await db.select().from(invitations)
  const wayBack = await tokenOf(app, back?.id ?? 0)
  t.equal((await friend.browser.request('GET', `/${squatter.slug}`)).statusCode, 200)

  await claim((await invite()).link)
  t.match(await db.select().from(memberships).where(eq(memberships.accountId, accountId)), [
    { userId: squatter.user.id, role: 'owner' },
  ])
  t.equal((await friend.browser.request('GET', `/${squatter.slug}`)).statusCode, 404)
  const eve = await signedUp(app, { email: 'eve@example.com' })
  t.equal((await eve.browser.request('POST', `/invitations/${wayBack}/accept`)).statusCode, 404)
})

t.test('a verified user is never claimed, nor anyone by another address or without a link', async (t) => {
  const { app, db, squatter, invite, claim, read } = await startSquatted(t)
  const { link } = await invite()
  const before = await read()
  const browser = await Browser.open(app)
  t.same((await browser.submit('POST', '/sign_up', somebody({ email: victim }))).props.errors, taken)
  const { link: forAnother } = await invite(await signedUp(app), 'another@example.com')
  t.same((await claim(forAnother)).page.props.errors, taken)
  t.match(await read(), { passwordDigest: before?.passwordDigest })

  await verify(db, squatter.user.id)
  t.same((await claim(link)).page.props.errors, taken)
  t.match(await read(), { name: 'Squatter', passwordDigest: before?.passwordDigest })
  t.equal((await squatter.browser.visit('/settings/profile')).component, 'settings/profile')
})

t.test('a person who mistyped the change of a verified address gets that one back', async (t) => {
  const { app, db, invite, claim } = await startSquatted(t)
  const person = await signUpAndMistype({ app, db })
  const { link } = await invite(undefined, 'typo@example.com')

  const { page } = await claim(link, { email: 'typo@example.com' })
  t.same(page.flash, welcome)
  t.not(page.props.auth.user.id, person.user.id, 'the newcomer is somebody else')
  t.equal(page.props.accounts.length, 2, 'with a personal account like everyone')
  const [restored] = await db.select().from(users).where(eq(users.id, person.user.id))
  t.match(restored, { email: 'person@example.com', verified: true, name: person.user.name })
  t.same(await db.select().from(emailChanges), [])
  t.equal((await person.browser.visit('/settings/profile')).component, 'auth/sign-in')
  t.equal((await signedIn(app, person.person)).page.component, 'auth/sign-in', 'the password is void')
  t.match(
    (await queuedMails(db)).filter(({ mail }) => mail === 'password_reset'),
    [{ email: 'person@example.com' }],
    'until a new one is set',
  )
})

t.test('a person whose former address is gone, or verified by somebody else, is not replaced', async (t) => {
  const { app, db, invite, claim } = await startSquatted(t)
  await signUpAndMistype({ app, db })
  await verifiedUp(app, { email: 'person@example.com' })
  const { link } = await invite(undefined, 'typo@example.com')
  t.same((await claim(link, { email: 'typo@example.com' })).page.props.errors, taken)
  await db.delete(emailChanges)
  await db.delete(users).where(eq(users.email, 'person@example.com'))
  t.same((await claim(link, { email: 'typo@example.com' })).page.props.errors, taken)
})

t.test('of two concurrent claims, one succeeds', async (t) => {
  const { db, invite, claim, read } = await startSquatted(t)
  const links = [await invite(), await invite(undefined, victim)]
  const pages = await Promise.all(links.map(async ({ link }, index) => claim(link, { name: `Victim ${index}` })))
  const won = pages.filter(({ page }) => page.flash?.notice === welcome.notice)
  t.equal(won.length, 1)
  t.same(
    pages.filter(({ page }) => page.props.errors?.email).map(({ page }) => page.props.errors),
    [taken],
  )
  const user = await read()
  t.equal(user?.name, won[0]?.page.props.auth.user.name)
  t.equal(
    (
      await db
        .select()
        .from(sessions)
        .where(eq(sessions.userId, user?.id ?? 0))
    ).length,
    1,
  )
})

t.test('a person who mistyped gets the address back from a user who never verified it', async (t) => {
  const { app, db, invite, claim } = await startSquatted(t)
  const person = await signUpAndMistype({ app, db })
  const another = await signedUp(app, { email: 'person@example.com' })
  const { link } = await invite(undefined, 'typo@example.com')
  t.same((await claim(link, { email: 'typo@example.com' })).page.flash, welcome)
  t.match(await db.select().from(users).where(eq(users.email, 'person@example.com')), [{ id: person.user.id }])
  t.same(await db.select().from(users).where(eq(users.id, another.user.id)), [])
})

t.test('a person who left the proved address and came back to it stays signed in', async (t) => {
  const { app, db, invite, claim } = await startSquatted(t)
  const { browser } = await signUpAndMistype({ app, db })
  await browser.submit('PATCH', '/settings/email', { email: 'person@example.com', password_challenge: password })
  const { link } = await invite(undefined, 'person@example.com')
  t.same((await claim(link, { email: 'person@example.com' })).page.props.errors, taken)
  t.equal((await browser.visit('/settings/profile')).component, 'settings/profile')
})

t.test('a concurrent sign-up with the former address makes way, too', async (t) => {
  const { app, db, invite, claim } = await startSquatted(t)
  await signUpAndMistype({ app, db })
  const { link } = await invite(undefined, 'typo@example.com')
  let outcome: ReturnType<typeof claim> | undefined
  await db.transaction(async (tx) => {
    await tx.insert(users).values({ name: 'Newcomer', email: 'person@example.com', passwordDigest: 'x' })
    outcome = claim(link, { email: 'typo@example.com' })
    await untilWaiting(db, outcome)
  })
  t.same((await outcome)?.page.flash, welcome)
  t.match(await db.select().from(users).where(eq(users.email, 'person@example.com')), [{ verified: true }])
})

t.test('a concurrent verification keeps the user', async (t) => {
  const { db, squatter, invite, claim, read } = await startSquatted(t)
  const { link } = await invite()
  let outcome: ReturnType<typeof claim> | undefined
  await db.transaction(async (tx) => {
    await tx.execute(sql`update users set verified = true, verified_at = now() where id = ${squatter.user.id}`)
    outcome = claim(link)
    await untilWaiting(db, outcome)
  })
  t.same((await outcome)?.page.props.errors, taken)
  t.match(await read(), { name: 'Squatter', verified: true })
})
