import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import {
  activities,
  emailChanges,
  invitations,
  rateLimits,
  sessions,
  spentChallenges,
  users,
} from '../../drizzle/schema.ts'
import { startApp } from '../helpers/app.ts'
import { signedUp, startAcme } from '../helpers/people.ts'

const ago = (days: number) => new Date(Date.now() - days * 86_400_000)

t.test('expired rows are deleted from every table, and nothing else', async (t) => {
  const { app, db } = await startApp(t, { ACTIVITY_DAYS: '100' })
  const { account, owner } = await startAcme(app)
  const { id: userId } = owner.user
  await db.delete(sessions)
  const session = (token: string, days: number) => {
    return { token, userId, userAgent: '', ipAddress: '', createdAt: ago(1000), lastSeenAt: ago(days) }
  }
  await db.insert(sessions).values([session('unseen', 401), session('seen', 399)])
  const invitation = (email: string, expired: number, accepted?: number) => {
    const acceptedAt = accepted === undefined ? null : ago(accepted)
    return { accountId: account.id, email, role: 'member' as const, expiresAt: ago(expired), acceptedAt }
  }
  const sent = [invitation('expired', 91), invitation('accepted', 300, 91)]
  const kept = [invitation('expired-lately', 89), invitation('accepted-lately', 95, 89), invitation('pending', -7)]
  await db.insert(invitations).values([...sent, ...kept])
  await db
    .update(users)
    .set({ verified: true, verifiedAt: ago(40) })
    .where(eq(users.id, userId))
  await db
    .insert(emailChanges)
    .values([31, 29].map((days) => ({ userId, previousEmail: `${days}`, createdAt: ago(days) })))
  await db.delete(activities)
  await db.insert(activities).values([101, 99].map((days) => ({ type: `${days}`, details: {}, createdAt: ago(days) })))
  await db.delete(rateLimits)
  await db.insert(rateLimits).values([1, -1].map((days) => ({ key: `${days}`, hits: 1, expiresAt: ago(days) })))
  await db.insert(spentChallenges).values([1, 0].map((days) => ({ challenge: `${days}`, expiresAt: ago(days) })))

  const swept = await app.sweeper.sweep()
  t.match(swept, { spent_challenges: 1 })
  t.match(swept, { sessions: 1, invitations: 2, email_changes: 1, activities: 1, rate_limits: 1 })
  const tokens = (await db.select().from(sessions)).map(({ token }) => token)
  t.same(tokens, ['seen'])
  const emails = (await db.select().from(invitations)).map(({ email }) => email)
  t.same(
    emails,
    kept.map(({ email }) => email),
  )
  const previousEmails = (await db.select().from(emailChanges)).map(({ previousEmail }) => previousEmail)
  t.same(previousEmails, ['29'])
  const types = (await db.select().from(activities)).map(({ type }) => type)
  t.same(types, ['99'])
  const keys = (await db.select().from(rateLimits)).map(({ key }) => key)
  t.same(keys, ['-1'])
  t.match(await app.sweeper.sweep(), { sessions: 0, invitations: 0 })
})

t.test('sessions past the policy are deleted', async (t) => {
  const { app, db, clock } = await startApp(t, { SESSION_IDLE: '1h', SESSION_MAX: '1d' })
  await signedUp(app)
  clock.forward({ minutes: 59 })
  t.match(await app.sweeper.sweep(), { sessions: 0 })
  const { user } = await signedUp(app)
  clock.forward({ minutes: 2 })
  t.match(await app.sweeper.sweep(), { sessions: 1 })
  const userIds = (await db.select().from(sessions)).map(({ userId }) => userId)
  t.same(userIds, [user.id])
  await db.update(sessions).set({ createdAt: ago(2), lastSeenAt: app.now() })
  t.match(await app.sweeper.sweep(), { sessions: 1 })
})

t.test('tables are swept in batches, a failing one does not affect others, and it can be aborted', async (t) => {
  const { app, db } = await startApp(t)
  await db.execute(sql`
    insert into rate_limits (key, hits, expires_at)
    select n::text, 1, now() + interval '1 day' * (case when n % 2 = 0 then 1 else -1 end)
    from generate_series(1, 5000) n`)
  await db.execute(sql`alter table sessions rename to hidden`)
  const swept = await app.sweeper.sweep()
  t.equal(swept.rate_limits, 2500)
  t.equal(swept.sessions, 0)
  t.equal((await db.select().from(rateLimits)).length, 2500)

  await db.execute(sql`update rate_limits set expires_at = now()`)
  const some = await app.sweeper.sweep(AbortSignal.abort())
  t.ok(Object.values(some).reduce((sum, count) => sum + count, 0) <= 1000)
  t.ok((await db.select().from(rateLimits)).length >= 1500)
})

t.test('it runs once an hour, and by hand', async (t) => {
  const { app, db } = await startApp(t)
  await db.insert(rateLimits).values({ key: 'over', hits: 1, expiresAt: ago(1) })
  await app.jobs.work()
  t.match((await db.execute(sql`select cron from pgboss.schedule where key = 'sweep'`)).rows, [{ cron: '17 * * * *' }])
  await app.jobs.run('sweep')
  t.same(await db.select().from(rateLimits), [])
})
