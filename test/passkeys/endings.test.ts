import { eq } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../drizzle/schema.ts'
import { passkeys } from '../../drizzle/tables/passkeys.ts'
import { sharedApp } from '../helpers/app.ts'
import { leftByResets, startSquatted } from '../helpers/endings.ts'
import { Authenticator, register, signInWith } from '../helpers/passkeys.ts'
import { openGuest, verify } from '../helpers/people.ts'

t.test('a claim of the address removes passkeys', async (t) => {
  const { app, db, squatter, claim, read } = await startSquatted(t)
  // As someone could before a verified address was needed.
  await verify(db, squatter.user.id)
  const authenticator = new Authenticator()
  await register(squatter.browser, authenticator)
  await db.update(users).set({ verified: false }).where(eq(users.id, squatter.user.id))
  await claim()
  t.match(await read(), { passkeyHandle: null })
  t.same(await db.select().from(passkeys), [])
  t.equal((await signInWith(await openGuest(app), authenticator)).component, 'auth/sign-in')
})

t.test('a reset removes passkeys from before the address was verified, and all if nobody had proved it', async (t) => {
  const started = await sharedApp(t)
  const { left, words, recorded } = await leftByResets(started, async ({ browser, user }) => {
    await register(browser, new Authenticator(), undefined, { name: 'Blue key' })
    return () => started.db.$count(passkeys, eq(passkeys.userId, user.id))
  })
  t.same(left, [0, 1, 0])
  const removed = ['password_reset', 'passkey_removed']
  t.same(recorded, [removed, ['password_reset'], removed])
  t.same(words[0], { text: 'the passkey “{name}”', values: { name: 'Blue key' } })
})
