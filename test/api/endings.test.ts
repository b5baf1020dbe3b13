import { eq } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../drizzle/schema.ts'
import { apiTokens } from '../../drizzle/tables/api.ts'
import { call, createToken } from '../helpers/api.ts'
import { sharedApp } from '../helpers/app.ts'
import { leftByResets, startStolen, suspendUser } from '../helpers/endings.ts'
import { prove, verifiedUp } from '../helpers/people.ts'

t.test('a suspension ends tokens, and one that another version makes opens nothing', async (t) => {
  const { app, db, clock } = await sharedApp(t)
  const { user, browser } = await verifiedUp(app)
  const token = await createToken(browser)
  const status = async () => (await call(app, token, 'GET', '/me')).statusCode
  t.equal(await status(), 200)
  const suspend = (suspendedAt: Date | null) => db.update(users).set({ suspendedAt }).where(eq(users.id, user.id))
  await suspend(clock.now())
  t.equal(await status(), 401)
  await suspend(null)
  t.ok(await suspendUser(app, user.id))
  t.equal(await status(), 401)
  t.equal(await db.$count(apiTokens), 0)
})

t.test('an undone change of the address ends every token', async (t) => {
  const { db, owner, thief, restore } = await startStolen(t)
  await prove(db, owner.user.id)
  await createToken(thief.browser)
  await restore()
  t.equal(await db.$count(apiTokens), 0)
})

t.test('a reset removes tokens from before the address was verified, and all if nobody had proved it', async (t) => {
  const started = await sharedApp(t)
  const { left } = await leftByResets(started, async ({ browser, user }) => {
    await createToken(browser)
    return () => started.db.$count(apiTokens, eq(apiTokens.userId, user.id))
  })
  t.same(left, [0, 1, 0])
})
