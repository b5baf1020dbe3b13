import { eq } from 'drizzle-orm'
import t from 'tap'
import { accounts, activities, memberships, sessions, users } from '../../drizzle/schema.ts'
import { sharedApp } from '../helpers/app.ts'
import { changeEmail, sharedPerson, signedUp, startAcme, verify } from '../helpers/people.ts'
import { queuedMails } from '../helpers/records.ts'

t.test('an unverified user who was not seen for 30 days is deleted without a trace', async (t) => {
  const { app, db, clock, person, browser } = await sharedPerson(t)
  await browser.submit('POST', '/accounts', { name: 'Another' })
  clock.forward({ days: 29, hours: 23 })
  t.match(await app.sweeper.sweep(), { users: 0 })
  clock.forward({ hours: 2 })
  t.match(await app.sweeper.sweep(), { users: 1 })
  for (const table of [users, accounts, memberships, sessions, activities]) t.same(await db.select().from(table), [])
  t.notMatch(JSON.stringify(await queuedMails(db)), person.email)
  t.equal((await signedUp(app, { email: person.email })).page.component, 'accounts/show', 'the address is free')
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
