import { eq, getTableName, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import t from 'tap'
import {
  activities,
  deletedSlugs,
  emailChanges,
  invitations,
  oneTimeValues,
  rateLimits,
  sessions,
  users,
} from '../../drizzle/schema.ts'
import { startApp } from '../helpers/app.ts'
import { signedUp, startAcme } from '../helpers/people.ts'

type Row = Record<string, unknown>

const ago = (days: number) => new Date(Date.now() - days * 86_400_000)

t.test('expired rows are deleted from every table, and nothing else', async (t) => {
  const { app, db } = await startApp(t, { ACTIVITY_DAYS: '100' })
  const { account, owner } = await startAcme(app)
  const userId = owner.user.id
  const verified = { verified: true, verifiedAt: ago(40) }
  await db.update(users).set(verified).where(eq(users.id, userId))

  const browser = { userId, userAgent: '', ipAddress: '', createdAt: ago(1000) }
  const session = (days: number) => ({ ...browser, token: `${days}`, lastSeenAt: ago(days) })
  const invitation = (expired: number, accepted?: number) => {
    const acceptedAt = accepted === undefined ? null : ago(accepted)
    return { accountId: account.id, email: `${expired}`, role: 'member', expiresAt: ago(expired), acceptedAt }
  }
  const change = (days: number) => ({ userId, previousEmail: `${days}`, createdAt: ago(days) })
  const activity = (days: number) => ({ type: `${days}`, details: {}, createdAt: ago(days) })
  const count = (days: number) => ({ key: `${days}`, hits: 1, expiresAt: ago(days) })
  const deletedSlug = (days: number) => ({ digest: `${days}`, createdAt: ago(days) })
  const challenge = (days: number) => ({ value: `${days}`, expiresAt: ago(days) })
  const cases: [PgTable, column: string, expired: Row[], kept: Row[]][] = [
    [sessions, 'token', [session(401)], [session(399)]],
    [invitations, 'email', [invitation(91), invitation(300, 91)], [invitation(89), invitation(95, 89), invitation(-7)]],
    [emailChanges, 'previousEmail', [change(31)], [change(29)]],
    [activities, 'type', [activity(101)], [activity(99)]],
    [rateLimits, 'key', [count(1)], [count(-1)]],
    [deletedSlugs, 'digest', [deletedSlug(366)], [deletedSlug(364)]],
    [oneTimeValues, 'value', [challenge(1)], []],
  ]
  for (const [table, , expired, kept] of cases) {
    await db.delete(table)
    await db.insert(table).values([...expired, ...kept])
  }
  const swept = await app.sweeper.sweep()
  const again = await app.sweeper.sweep()
  for (const [table, column, expired, kept] of cases) {
    const name = getTableName(table)
    t.same([swept[name], again[name]], [expired.length, 0], name)
    const valuesOf = (rows: Row[]) => rows.map((row) => row[column])
    t.same(valuesOf(await db.select().from(table)), valuesOf(kept), name)
  }
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
  let statements = 0
  db.pool.on('acquire', () => statements++)
  t.match(await app.sweeper.sweep(), { rate_limits: 2500, sessions: 0 })
  const first = statements
  await app.sweeper.sweep()
  t.equal(2 * first - statements, 3, 'a thousand at once')
  t.equal(await db.$count(rateLimits), 2500)

  await db.execute(sql`update rate_limits set expires_at = now()`)
  await app.sweeper.sweep(AbortSignal.abort())
  t.equal(await db.$count(rateLimits), 2500)
})

t.test('a batch that takes too long is followed by smaller ones', async (t) => {
  const { app, db } = await startApp(t, {}, { deadlines: { statement: 0.5 } })
  await db.execute(sql`
    insert into rate_limits (key, hits, expires_at) select n::text, 1, now() from generate_series(1, 500) n`)
  await db.execute(sql`
    create function dawdle() returns trigger language plpgsql as $$
    begin perform pg_sleep(0.002); return old; end $$`)
  await db.execute(sql`create trigger dawdles before delete on rate_limits for each row execute function dawdle()`)
  t.match(await app.sweeper.sweep(), { rate_limits: 500 })
})

t.test('it runs once an hour, and by hand', async (t) => {
  const { app, db } = await startApp(t)
  await db.insert(rateLimits).values({ key: 'over', hits: 1, expiresAt: ago(1) })
  await app.jobs.startWorkers()
  t.match((await db.execute(sql`select cron from pgboss.schedule where key = 'sweep'`)).rows, [{ cron: '17 * * * *' }])
  await app.jobs.run('sweep')
  t.same(await db.select().from(rateLimits), [])
})
