import { eq } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { accounts, memberships, type Role, sessions, users } from '../../drizzle/schema.ts'
import { insertSession } from '../../features/auth/sessions.ts'
import { digestOf } from '../../plugins/security/digests.ts'
import { sharedApp } from '../helpers/app.ts'
import type { Page } from '../helpers/browser.ts'
import { untilWaiting } from '../helpers/database.ts'
import { password, sharedPerson, signedIn, signedUp } from '../helpers/people.ts'

const refusal = { password_challenge: ['Password challenge is invalid'] }

t.test('the right challenge deletes the user, their sessions and the accounts that were theirs alone', async (t) => {
  const { app, db, browser, person } = await sharedPerson(t)
  await signedIn(app, person)
  const before = browser.csrfHeader()

  const response = await browser.request('DELETE', '/users', { body: { password_challenge: password } })
  t.equal(response.statusCode, 303)
  t.equal(response.headers.location, '/')
  const page = await browser.follow(response)
  t.equal(page.component, 'home/index')
  t.same(page.flash, { notice: 'Your account has been deleted' })
  t.equal(page.clearHistory, true)
  t.equal(page.props.auth.user, null)
  t.not(browser.csrfHeader()['x-xsrf-token'], before['x-xsrf-token'])

  for (const table of [users, sessions, accounts, memberships]) t.same(await db.select().from(table), [])
  const { page: after } = await signedIn(app, person)
  t.same(after.flash, { alert: 'That email or password is incorrect' })
})

t.test('a wrong or missing challenge deletes nothing', async (t) => {
  const { db, browser } = await sharedPerson(t)
  for (const body of [{ password_challenge: 'wrong' }, { password_challenge: null }, {}]) {
    const page = await browser.submit('DELETE', '/users', body)
    t.equal(page.url, '/settings/profile')
    t.same(page.props.errors, refusal)
  }
  t.equal((await db.select().from(users)).length, 1)
})

t.test('a password that changes after the challenge was verified keeps the user, and newer sessions', async (t) => {
  const { app, db, browser, person, user } = await sharedPerson(t)
  const fresh = await digestOf('a fresh password')
  let deletion: Promise<Page> | undefined
  await db.transaction(async (tx) => {
    await tx.update(users).set({ passwordDigest: fresh })
    deletion = browser.submit('DELETE', '/users', { password_challenge: password })
    // The challenge is valid until this commits. Meanwhile, the deletion waits for the row.
    await untilWaiting(db, deletion)
    await insertSession(tx, new Date(), user.id, { ipAddress: '', userAgent: '' }, 'password')
  })
  t.same((await deletion)?.props.errors, refusal)
  t.equal((await db.select().from(sessions)).length, 2)
  t.equal((await signedIn(app, { email: person.email, password: 'a fresh password' })).page.component, 'accounts/show')
})

t.test('accounts with others stay, and never without an owner', async (t) => {
  const { app, db } = await sharedApp(t)
  const owner = await signedUp(app)
  const others = await Promise.all([1, 2, 3].map(() => signedUp(app)))
  const heirs = async (t: Test, name: string, roles: Role[]) => {
    await owner.browser.submit('POST', '/accounts', { name })
    const [account] = await db.select().from(accounts).where(eq(accounts.slug, name))
    for (const [index, role] of roles.entries()) {
      await db.insert(memberships).values({ accountId: account?.id ?? 0, userId: others[index]?.user.id, role })
    }
    return async (expected: Role[]) => {
      const left = await db
        .select()
        .from(memberships)
        .where(eq(memberships.accountId, account?.id ?? 0))
        .orderBy(memberships.id)
      t.same(
        left.map(({ role }) => role),
        expected,
        name,
      )
    }
  }
  const withAdmins = await heirs(t, 'admins', ['member', 'admin', 'admin'])
  const withMembers = await heirs(t, 'members', ['member', 'member'])
  const withOwner = await heirs(t, 'owners', ['admin', 'owner'])
  const alone = await heirs(t, 'alone', [])

  await owner.browser.submit('DELETE', '/users', { password_challenge: password })
  await withAdmins(['member', 'owner', 'admin'])
  await withMembers(['owner', 'member'])
  await withOwner(['admin', 'owner'])
  await alone([])
  t.same(await db.select().from(accounts).where(eq(accounts.slug, 'alone')), [])
})

t.test('deletion has a budget of its own, and is refused when it is spent', async (t) => {
  const { db, browser } = await sharedPerson(t)
  const right = { password_challenge: password }
  for (let count = 0; count < 10; count++)
    t.same((await browser.submit('DELETE', '/users', { password_challenge: 'wrong' })).props.errors, refusal)
  t.same((await browser.submit('DELETE', '/users', right)).flash, { alert: 'Try again later.' })
  t.equal((await db.select().from(users)).length, 1)
  const page = await browser.submit('PATCH', '/settings/email', { email: 'new@example.com', ...right })
  t.same(page.flash, { notice: 'Your email has been changed' })
})

t.test('a precognitive deletion is refused', async (t) => {
  const { db, browser } = await sharedPerson(t)
  t.equal((await browser.precognize('DELETE', '/users', { password_challenge: password })).statusCode, 400)
  t.equal((await db.select().from(users)).length, 1)
  t.ok((await browser.visit('/settings/profile')).props.auth.user)
})
