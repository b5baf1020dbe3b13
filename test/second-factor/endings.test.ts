import { eq } from 'drizzle-orm'
import t from 'tap'
import { sessions, users } from '../../drizzle/schema.ts'
import { recoveryCodes } from '../../drizzle/tables/second-factor.ts'
import { sharedApp } from '../helpers/app.ts'
import { leftByResets, startSquatted, suspended, suspendUser, unsuspendUser } from '../helpers/endings.ts'
import { password, verify } from '../helpers/people.ts'
import {
  codeAt,
  enable,
  recoveryCodesOf,
  start,
  startOver,
  withSecondFactor,
  wrongCodeErrors,
} from '../helpers/second-factor.ts'

t.test('nobody who is suspended takes the second step, nor needs none in a trusted browser', async (t) => {
  const { app, db, clock } = await sharedApp(t)
  const someone = await withSecondFactor({ app, clock })
  const { user, person, recoveryCodes } = someone
  const { browser: trusting } = await someone.halfway()
  await trusting.submit('POST', '/sign_in/verify', { code: await someone.code(), trust: true })
  clock.forward({ seconds: 30 })
  trusting.cookies.delete('session_token')
  await suspendUser(app, user.id)
  t.match(await (await someone.halfway()).submit(await someone.code()), suspended)
  t.match(await (await someone.halfway()).submit(recoveryCodes[0]), suspended)
  t.match(await (await someone.halfway()).submit(await someone.wrong()), { props: { errors: wrongCodeErrors } })
  await trusting.document('/sign_in')
  t.match(await trusting.submit('POST', '/sign_in', { email: person.email, password }), suspended)
  t.equal(await db.$count(sessions, eq(sessions.userId, user.id)), 0)

  await unsuspendUser(app, user.id)
  const { component } = await (await someone.halfway()).submit(recoveryCodes[0])
  t.equal(component, 'accounts/show', 'which was not used up')
})

t.test('a suspension ends a pending sign-in', async (t) => {
  const { app, clock } = await sharedApp(t)
  const someone = await withSecondFactor({ app, clock })
  const { submit } = await someone.halfway()
  await suspendUser(app, someone.user.id)
  await unsuspendUser(app, someone.user.id)
  t.match(await submit(await someone.code()), { url: '/sign_in', flash: startOver })
})

t.test('a claim of the address removes the second factor with its recovery codes', async (t) => {
  const { db, clock, squatter, claim, read } = await startSquatted(t)
  // As someone could before a verified address was needed.
  await verify(db, squatter.user.id)
  const { secret } = await start(squatter.browser)
  await squatter.browser.submit('PATCH', '/settings/second_factor', { code: await codeAt(secret, clock.now()) })
  await db.update(users).set({ verified: false }).where(eq(users.id, squatter.user.id))
  await claim()
  t.match(await read(), { secondFactorAt: null })
  t.same(await db.select().from(recoveryCodes), [])
})

t.test('a reset removes a factor from before the address was verified, and any if nobody had proved it', async (t) => {
  const started = await sharedApp(t)
  const { left, words, recorded } = await leftByResets(started, async ({ browser, user }) => {
    await enable(browser, started)
    return async () => (await recoveryCodesOf(started.db, user.id)).length
  })
  t.same(left, [0, 10, 0])
  const removed = ['password_reset', 'second_factor_disabled']
  t.same(recorded, [removed, ['password_reset'], removed])
  t.match(words, [{ text: 'your authenticator app' }, { text: '{count} recovery codes', values: { count: 10 } }])
})
