import { eq } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { activities, sessions, users } from '../../drizzle/schema.ts'
import { operatorLog } from '../../drizzle/tables/operators.ts'
import { identities } from '../../drizzle/tables/providers.ts'
import { makeOperator } from '../../features/operators/operators.ts'
import { presentEntry } from '../../features/operators/props.ts'
import { oidc, startApp } from '../helpers/app.ts'
import { runCommand } from '../helpers/commands.ts'
import { createDatabase } from '../helpers/database.ts'
import { signedIn, signedUp, startAcme, userRow, verifiedUp, verify } from '../helpers/people.ts'
import { forgetMails, mailsOf, queuedMails, typesOf } from '../helpers/records.ts'
import { withSecondFactor } from '../helpers/second-factor.ts'

async function startOperated(t: Test) {
  const url = await createDatabase(t)
  const started = await startApp(t, { DATABASE_URL: url })
  const environment = { DATABASE_URL: url }
  return { ...started, url, environment, run: (...words: string[]) => runCommand('users', environment, ...words) }
}

t.test('an operator lists all users or one, a line each', async (t) => {
  const { app, db, environment } = await startOperated(t)
  const google = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }
  const configured = { ...environment, ...google, ...oidc, MAILER_HOST: 'mail.example.com' }
  const run = (...words: string[]) => runCommand('users', configured, ...words)
  const { person, user } = await signedUp(app)
  const other = await signedUp(app)
  const connected = ['google', 'oidc', 'oidc', 'github'].map((provider, n) => ({
    provider,
    issuer: 'x',
    subject: String(n),
  }))
  await db.insert(identities).values(connected.map((each) => ({ ...each, userId: other.user.id })))
  const today = new Date()
  const marked = { verified: true, suspendedAt: today, operatorSince: today }
  await db.update(users).set(marked).where(eq(users.id, other.user.id))
  const all = await run('list')
  t.equal(all.code, 0)
  const emails = Array.from(all.out.matchAll(/^\d+ {2}(\S+)/gm), ([, email]) => email)
  t.same(emails, [person.email, other.person.email])
  t.match(all.out, '  verified  suspended  operator  ')
  t.match(all.out, '  password + google + oidc + code by mail  ', 'GitHub is not configured')
  const one = await run('list', ` ${person.email.toUpperCase()}`)
  const line = `^${user.id}  ${person.email}  unverified  password only  since DAY  accounts: 1  sessions: 1\n$`
  t.match(one, { code: 0, out: new RegExp(line.replace('DAY', '\\d{4}-\\d\\d-\\d\\d')) })
})

t.test('an operator signs a user out everywhere, recorded without an actor', async (t) => {
  const { app, db, run } = await startOperated(t)
  const { person, user, browser } = await signedUp(app)
  await signedIn(app, person)
  t.match(await run('sign-out', person.email), { code: 0, out: `2 sessions of ${person.email} have ended\n` })
  t.same(await db.select().from(sessions), [])
  t.equal((await browser.visit('/settings/profile')).component, 'auth/sign-in')
  const [activity] = await db.select().from(activities).where(eq(activities.type, 'sessions_ended'))
  t.match(activity, { userId: user.id, actorId: null, ipAddress: null })
})

t.test('an operator deletes a user just as they could themselves', async (t) => {
  const { app, db, run } = await startOperated(t)
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

t.test('an operator removes a lost second factor', async (t) => {
  const { app, db, run } = await startOperated(t)
  const { person, user } = await verifiedUp(app)
  await forgetMails(db)
  const reset = () => run('reset-second-factor', person.email)
  t.same(await reset(), { code: 1, out: '', err: `${person.email} has no second factor\n` })
  await db.update(users).set({ secondFactorAt: new Date() }).where(eq(users.id, user.id))
  t.match(await reset(), { code: 0, out: `${person.email} signs in without a second factor\n` })
  t.equal((await signedIn(app, person)).page.component, 'accounts/show')
  const [activity] = await db.select().from(activities).where(eq(activities.type, 'second_factor_disabled'))
  t.match(activity, { userId: user.id, actorId: null })
  t.same(await mailsOf(db, user.id), ['second_factor_disabled'])
})

t.test('the command line alone makes operators: of verified people with an app, except the demo user', async (t) => {
  const { app, clock, db, url } = await startOperated(t)
  const someone = await withSecondFactor({ app, clock })
  const { email } = someone.person
  const demo = { DEMO_ADMIN_EMAIL: 'demo@example.com', DEMO_ADMIN_PASSWORD: 'a demo word!' }
  const run = (...words: string[]) => runCommand('users', { DATABASE_URL: url, ...demo }, ...words)
  t.match(await run('operator', email, 'off'), { code: 1, out: '', err: `${email} is no operator\n` })
  t.match(await run('operator', email, 'on'), { code: 0, out: `${email} is an operator now\n` })
  t.match(await run('operator', email, 'on'), { code: 1, out: '', err: `${email} is an operator already\n` })
  t.equal(await db.$count(sessions, eq(sessions.userId, someone.user.id)), 0)
  t.match(await run('operator', email, 'off'), { code: 0, out: `${email} is no operator any more\n` })
  t.same((await mailsOf(db, someone.user.id)).slice(-2), ['operator_granted', 'operator_revoked'])
  t.same((await typesOf(db, someone.user.id)).slice(-2), ['operator_granted', 'operator_revoked'])

  const needs = /needs a verified address and an authenticator app, and must not be the demo user\n$/
  await db.update(users).set({ email: 'demo@example.com' }).where(eq(users.id, someone.user.id))
  t.match(await run('operator', 'demo@example.com', 'on'), { code: 1, out: '', err: needs })
  await db.update(users).set({ verified: false, email }).where(eq(users.id, someone.user.id))
  for (const { user } of [someone, await verifiedUp(app)])
    t.equal(await db.transaction((tx) => makeOperator(app, tx, user.id)), false)
})

t.test('an operator suspends and unsuspends', async (t) => {
  const { app, db, run } = await startOperated(t)
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

t.test('each command leaves a line in the log of operators, and one that fails leaves none', async (t) => {
  const { app, clock, db, run } = await startOperated(t)
  const { person, user } = await withSecondFactor({ app, clock })
  const commands = ['list', 'sign-out', 'operator on', 'operator off', 'operator off', 'reset-second-factor', 'suspend']
  await run('list')
  for (const command of [...commands, 'suspend', 'unsuspend', 'delete', 'list']) {
    const [action = '', ...words] = command.split(' ')
    await run(action, person.email, ...words)
  }
  const lines = (await db.select().from(operatorLog).orderBy(operatorLog.id)).map(presentLine)
  const done = 'user_viewed sessions_ended operator_granted operator_revoked second_factor_removed user_suspended'
  const on = [...done.split(' '), 'user_unsuspended', 'user_deleted'].map(
    (action) => `command line ${action} ${user.id}`,
  )
  t.same(lines, ['command line users_listed null', ...on])
})

const presentLine = (entry: typeof operatorLog.$inferSelect) => {
  const { operator, action, user_id, ip_address } = presentEntry({ entry, operatorName: null })
  return [operator.name, action, user_id ?? 'null', ...(ip_address ? [ip_address] : [])].join(' ')
}

t.test('not found exits with 1, invalid arguments with 2, and neither changes anything', async (t) => {
  const { app, db, run } = await startOperated(t)
  await signedUp(app)
  const missing = await run('delete', 'nobody@example.com')
  t.same(missing, { code: 1, out: '', err: 'No user with the email nobody@example.com\n' })
  const meaningless = [
    ['operator', 'a@example.com', 'yes'],
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
