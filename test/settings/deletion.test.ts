import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { accounts, activities, memberships, type Role, sessions, users } from '../../drizzle/schema.ts'
import { sharedApp, startApp } from '../helpers/app.ts'
import type { Browser } from '../helpers/browser.ts'
import {
  challenge,
  changeEmail,
  sharedAcme,
  sharedPerson,
  signedIn,
  signedUp,
  signUpByForm,
  startAcme,
  verify,
} from '../helpers/people.ts'
import { queuedMails } from '../helpers/records.ts'
import { startSmtp } from '../helpers/smtp.ts'

t.test('the right challenge deletes the user, their sessions and the accounts that were theirs alone', async (t) => {
  const { app, db, browser, person } = await sharedPerson(t)
  await signedIn(app, person)
  const response = await browser.request('DELETE', '/users', { body: challenge })
  t.match(response, { statusCode: 303, headers: { location: '/' } })
  const page = await browser.follow(response)
  t.equal(page.component, 'home/index')
  t.same(page.flash, { notice: 'Your account has been deleted' })
  t.equal(page.clearHistory, true)
  t.equal(page.props.auth.user, null)

  for (const table of [users, sessions, accounts, memberships]) t.same(await db.select().from(table), [])
  const { page: after } = await signedIn(app, person)
  t.same(after.flash, { alert: 'That email or password is incorrect' })
})

t.test('accounts with others stay, and never without an owner', async (t) => {
  const { app, db } = await sharedApp(t)
  const { browser } = await signedUp(app)
  const others = await Promise.all([1, 2, 3].map(() => signedUp(app)))
  const cases = [
    ['member admin admin', 'member owner admin'],
    ['member member', 'owner member'],
    ['admin owner', 'admin owner'],
  ] as const
  const ids: number[] = []
  for (const [before] of cases) {
    const accountId = (await browser.submit('POST', '/accounts', { name: before })).props.account.id
    for (const [index, role] of before.split(' ').entries())
      await db.insert(memberships).values({ accountId, userId: others[index]?.user.id ?? 0, role: role as Role })
    ids.push(accountId)
  }
  await browser.submit('POST', '/accounts', { name: 'alone' })
  await browser.submit('DELETE', '/users', challenge)
  for (const [index, [before, after]] of cases.entries()) {
    const here = eq(memberships.accountId, ids[index] ?? 0)
    const rows = await db.select().from(memberships).where(here).orderBy(memberships.id)
    t.equal(rows.map(({ role }) => role).join(' '), after, before)
  }
  t.same(await db.select().from(accounts).where(eq(accounts.slug, 'alone')), [])
})

t.test('before leaving, one sees which workspaces go along, and who takes over the others', async (t) => {
  const { owner, join } = await sharedAcme(t)
  const admin = await join('admin')
  const visit = { 'x-inertia-partial-component': 'settings/profile', 'x-inertia-partial-data': 'departure' }
  const departure = async (browser: Browser, headers?: Record<string, string>) =>
    (await browser.visit('/settings/profile', headers)).props.departure
  t.equal(await departure(owner.browser), undefined, 'only when it is asked for')
  t.same(await departure(owner.browser, visit), {
    deleted: [{ name: owner.user.name }],
    inherited: [{ name: 'Acme', successor: admin.user.name }],
  })
  t.same(await departure(admin.browser, visit), { deleted: [{ name: admin.user.name }], inherited: [] })
})

t.test('a mail to a verified address confirms it, and nothing of it is kept', async (t) => {
  const smtp = await startSmtp(t)
  const { app, db } = await startApp(t, smtp.environment)
  const jobs = async () => (await db.execute(sql`select data from pgboss.job where data->>'job' = 'user_deleted'`)).rows
  const unverified = await signedUp(app)
  await unverified.browser.submit('DELETE', '/users', challenge)
  t.same(await jobs(), [], 'an address that was never proved gets none')

  const { browser, person, user } = await signedUp(app)
  await verify(db, user.id)
  await browser.submit('DELETE', '/users', challenge)
  const [job, ...others] = await jobs()
  t.match(job, { data: { email: person.email } })
  t.same(others, [])
  await app.jobs.startWorkers()
  t.equal((await smtp.next('Your account has been deleted')).recipient, person.email)
  while ((await jobs()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20))
})

t.test('an unverified user who was not seen for 30 days is deleted without a trace', async (t) => {
  const { app, db, clock, person, browser } = await sharedPerson(t)
  await browser.submit('POST', '/accounts', { name: 'Another' })
  clock.forward({ days: 29, hours: 23 })
  t.match(await app.sweeper.sweep(), { users: 0 })
  clock.forward({ hours: 2 })
  t.match(await app.sweeper.sweep(), { users: 1 })
  for (const table of [users, accounts, memberships, sessions, activities]) t.same(await db.select().from(table), [])
  t.notMatch(JSON.stringify(await queuedMails(db)), person.email)
  t.equal((await signUpByForm(app, { email: person.email })).page.component, 'accounts/show', 'the address is free')
})

t.test('an abandoned user who cannot be deleted does not keep those behind them', async (t) => {
  const { app, db, clock } = await startApp(t)
  const [stuck, next] = [await signedUp(app), await signedUp(app)]
  await db.execute(sql`create table keepers (user_id bigint references users)`)
  await db.execute(sql`insert into keepers values (${stuck.user.id})`)
  clock.forward({ days: 31 })
  t.match(await app.sweeper.sweep(), { users: 1 })
  const left = (await db.select().from(users)).map(({ id }) => id)
  t.same(left, [stuck.user.id])
  t.not(stuck.user.id, next.user.id)
})

t.test('a user who was seen since, has verified an address, or shares an account stays', async (t) => {
  const { app, db, clock } = await sharedApp(t)
  const [seen, verified, changed] = [await signedUp(app), await signedUp(app), await signedUp(app)]
  for (const { user } of [verified, changed]) await verify(db, user.id)
  await changeEmail(changed, 'typo@example.com')
  const { owner, join } = await startAcme(app)
  const member = await join('member')
  clock.forward({ days: 31 })
  await db.update(sessions).set({ lastSeenAt: clock.now() }).where(eq(sessions.userId, seen.user.id))
  const swept = await app.sweeper.sweep()
  t.match(swept, { users: 0, email_changes: 0 }, 'nor is forgotten where a proof of the new one leads')
  const ids = (await db.select().from(users).orderBy(users.id)).map(({ id }) => id)
  const kept = [seen, verified, changed, owner, member].map(({ user }) => user.id)
  t.same(ids, kept)

  await db.delete(memberships).where(eq(memberships.id, member.membershipId))
  t.match(await app.sweeper.sweep(), { users: 2 }, 'both, once they share it no more')
})
