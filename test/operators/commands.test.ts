import { eq } from 'drizzle-orm'
import t from 'tap'
import { sessions, users } from '../../drizzle/schema.ts'
import { operatorLog } from '../../drizzle/tables/operators.ts'
import { makeOperator } from '../../features/operators/operators.ts'
import { presentEntry } from '../../features/operators/props.ts'
import { runCommand, startCommanded } from '../helpers/commands.ts'
import { verifiedUp } from '../helpers/people.ts'
import { mailsOf, typesOf } from '../helpers/records.ts'
import { withSecondFactor } from '../helpers/second-factor.ts'

t.test('the command line alone makes operators: of verified people with an app, except the demo user', async (t) => {
  const { app, clock, db, url } = await startCommanded(t)
  const someone = await withSecondFactor({ app, clock })
  const { email } = someone.person
  const demo = { DEMO_ADMIN_EMAIL: 'demo@example.com', DEMO_ADMIN_PASSWORD: 'a demo word!' }
  const run = (...words: string[]) => runCommand('users', { DATABASE_URL: url, ...demo }, ...words)
  t.match(await run('operator', email, 'off'), { code: 1, out: '', err: `${email} is no operator\n` })
  t.match(await run('operator', email, 'on'), { code: 0, out: `${email} is an operator now\n` })
  t.match(await run('operator', email, 'on'), { code: 1, out: '', err: `${email} is an operator already\n` })
  t.equal(await db.$count(sessions, eq(sessions.userId, someone.user.id)), 0)
  t.match((await run('list', email)).out, '  verified  operator  ')
  t.match(await run('operator', email, 'off'), { code: 0, out: `${email} is no operator any more\n` })
  t.same((await mailsOf(db, someone.user.id)).slice(-2), ['operator_granted', 'operator_revoked'])
  t.same((await typesOf(db, someone.user.id)).slice(-2), ['operator_granted', 'operator_revoked'])
  const logged = (await db.select().from(operatorLog).orderBy(operatorLog.id)).map(({ action }) => action)
  t.same(logged, ['operator_granted', 'user_viewed', 'operator_revoked'], 'and nothing of what was refused')

  const needs = /needs a verified address and an authenticator app, and must not be the demo user\n$/
  await db.update(users).set({ email: 'demo@example.com' }).where(eq(users.id, someone.user.id))
  t.match(await run('operator', 'demo@example.com', 'on'), { code: 1, out: '', err: needs })
  await db.update(users).set({ verified: false, email }).where(eq(users.id, someone.user.id))
  for (const { user } of [someone, await verifiedUp(app)])
    t.equal(await db.transaction((tx) => makeOperator(app, tx, user.id)), false)
})

t.test('each command leaves a line in the log of operators, and one that fails leaves none', async (t) => {
  const { app, clock, db, run } = await startCommanded(t)
  const { person, user } = await withSecondFactor({ app, clock })
  await run('list')
  const commands = ['list', 'sign-out', 'reset-second-factor', 'suspend', 'suspend', 'unsuspend', 'delete', 'list']
  for (const command of commands) await run(command, person.email)
  const lines = (await db.select().from(operatorLog).orderBy(operatorLog.id)).map(presentLine)
  const done = 'user_viewed sessions_ended second_factor_removed user_suspended'
  const on = [...done.split(' '), 'user_unsuspended', 'user_deleted'].map(
    (action) => `command line ${action} ${user.id}`,
  )
  t.same(lines, ['command line users_listed null', ...on])
})

const presentLine = (entry: typeof operatorLog.$inferSelect) => {
  const { operator, action, user_id, ip_address } = presentEntry({ entry, operatorName: null })
  return [operator.name, action, user_id ?? 'null', ...(ip_address ? [ip_address] : [])].join(' ')
}

t.test('no job is looked at or run without a line in the log', async (t) => {
  const { db, url } = await startCommanded(t)
  for (const words of [['run', 'sweep'], ['run', 'new_sign_in'], [], ['retry']])
    await runCommand('jobs', { DATABASE_URL: url }, ...words)
  const lines = await db.select().from(operatorLog).orderBy(operatorLog.id)
  t.same(
    lines.map(({ operatorId, action }) => `${operatorId} ${action}`),
    ['null job_run', 'null jobs_listed', 'null jobs_retried'],
  )
})
