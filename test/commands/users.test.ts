import { eq } from 'drizzle-orm'
import t from 'tap'
import { activities, sessions, users } from '../../drizzle/schema.ts'
import { runCommand, startCommanded } from '../helpers/commands.ts'
import { signedIn, signedUp, startAcme, userRow, verifiedUp, verify } from '../helpers/people.ts'
import { queuedMails } from '../helpers/records.ts'

t.test('an operator lists all users or one, a line each', async (t) => {
  const { app, db, run } = await startCommanded(t)
  const { person, user } = await signedUp(app)
  const other = await signedUp(app)
  await db.update(users).set({ verified: true, suspendedAt: new Date() }).where(eq(users.id, other.user.id))
  const all = await run('list')
  t.equal(all.code, 0)
  const emails = Array.from(all.out.matchAll(/^\d+ {2}(\S+)/gm), ([, email]) => email)
  t.same(emails, [person.email, other.person.email])
  t.match(all.out, '  verified  suspended  ')
  const one = await run('list', ` ${person.email.toUpperCase()}`)
  const line = `^${user.id}  ${person.email}  unverified  password only  since DAY  accounts: 1  sessions: 1\n$`
  t.match(one, { code: 0, out: new RegExp(line.replace('DAY', '\\d{4}-\\d\\d-\\d\\d')) })
})

t.test('an operator signs a user out everywhere, recorded without an actor', async (t) => {
  const { app, db, run } = await startCommanded(t)
  const { person, user, browser } = await signedUp(app)
  await signedIn(app, person)
  t.match(await run('sign-out', person.email), { code: 0, out: `2 sessions of ${person.email} have ended\n` })
  t.same(await db.select().from(sessions), [])
  t.equal((await browser.visit('/settings/profile')).component, 'auth/sign-in')
  const [activity] = await db.select().from(activities).where(eq(activities.type, 'sessions_ended'))
  t.match(activity, { userId: user.id, actorId: null, ipAddress: null })
})

t.test('an operator deletes a user just as they could themselves', async (t) => {
  const { app, db, run } = await startCommanded(t)
  const { account, owner, join, membersNow } = await startAcme(app)
  const successor = await join('member')
  await verify(db, owner.user.id)
  t.match(await run('delete', owner.person.email), { code: 0, out: `${owner.person.email} has been deleted\n` })
  t.equal(await db.$count(users), 1)
  t.match((await queuedMails(db)).at(-1), { mail: 'user_deleted', email: owner.person.email })
  t.match(await membersNow(), [{ userId: successor.user.id, role: 'owner' }])
  const recorded = await db.select().from(activities).where(eq(activities.accountId, account.id)).orderBy(activities.id)
  t.match(recorded.slice(-2), [
    { type: 'member_left', actorId: null },
    { type: 'role_changed', actorId: null, userId: successor.user.id },
  ])
})

t.test('an operator suspends and unsuspends', async (t) => {
  const { app, db, run } = await startCommanded(t)
  const { person, user } = await verifiedUp(app)
  const { email } = person
  t.same(await run('unsuspend', email), { code: 1, out: '', err: `${email} is not suspended\n` })
  t.same(await run('suspend', email, 'Fraud'), { code: 0, out: `${email} is suspended\n`, err: '' })
  t.same((await signedIn(app, person)).page.flash, { alert: 'Your account is suspended' })
  const another = `${email} was suspended already, and the reason is another now\n`
  t.same(await run('suspend', email, 'Spam'), { code: 0, out: another, err: '' })
  t.same(await run('suspend', email), { code: 1, out: '', err: `${email} is suspended already\n` })
  t.equal((await userRow(db, user.id)).suspensionReason, 'Spam')
  t.same(await run('unsuspend', email), { code: 0, out: `${email} is active again\n`, err: '' })
  t.equal((await signedIn(app, person)).page.component, 'accounts/show')
  const [activity] = await db.select().from(activities).where(eq(activities.type, 'suspended'))
  t.match(activity, { userId: user.id, actorId: null, ipAddress: null })
})

t.test('not found exits with 1, invalid arguments with 2, and neither changes anything', async (t) => {
  const { app, db, run } = await startCommanded(t)
  await signedUp(app)
  const missing = await run('delete', 'nobody@example.com')
  t.same(missing, { code: 1, out: '', err: 'No user with the email nobody@example.com\n' })
  const meaningless = [
    ['suspend', 'a@example.com', ' '],
    ['toString', 'a@example.com'],
    ['delete', 'a@example.com', 'b@example.com'],
  ]
  for (const answer of await Promise.all(meaningless.map((words) => run(...words))))
    t.match(answer, { code: 2, out: '', err: /^Usage:/ })
  t.same([await db.$count(users), await db.$count(sessions)], [1, 1])
})

t.test('an unreachable database exits with 1 and one line', async (t) => {
  const gone = await runCommand('users', { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' }, 'list')
  t.match(gone, { code: 1, out: '', err: /^The database of DATABASE_URL cannot be reached.*\n$/ })
})
