import { eq, sql } from 'drizzle-orm'
import t from 'tap'
import { activities, users } from '../../drizzle/schema.ts'
import { updateAccount } from '../../features/accounts/account-settings.ts'
import { record, recording } from '../../features/activity/index.ts'
import { actorAt, startAcme } from '../helpers/accounts.ts'
import { forgetActivities, recorded } from '../helpers/activities.ts'
import { sharedApp } from '../helpers/app.ts'
import { signedUp } from '../helpers/people.ts'

t.test('a record exists after the commit, and never after a rollback', async (t) => {
  const { app, db } = await sharedApp(t)
  const { user } = await signedUp(app)
  await forgetActivities(db)

  const failed = db.transaction(async (tx) => {
    await tx.update(users).set({ name: 'Other' }).where(eq(users.id, user.id))
    await record(tx, 'signed_out', { userId: user.id })
    throw new Error('changed my mind')
  })
  await t.rejects(failed, { message: 'changed my mind' })
  t.same(await recorded(db), [])

  await db.transaction((tx) => record(tx, 'signed_out', { userId: user.id }))
  t.match(await recorded(db), [{ type: 'signed_out', userId: user.id, actorId: user.id, accountId: null, details: {} }])
})

t.test('a record contains the names of actor, user and account at that time', async (t) => {
  const { app, db } = await sharedApp(t)
  const { account, owner, join } = await startAcme(app)
  const member = await join('member')
  await forgetActivities(db)

  const change = { accountId: account.id, actorId: owner.user.id, userId: member.user.id }
  await db.transaction((tx) => record(tx, 'role_changed', { ...change, from: 'member', to: 'admin' }))
  await db.update(users).set({ name: 'Another name' })

  const [row] = await recorded(db)
  t.match(row, { ...change, actorName: owner.user.name, ipAddress: null, userAgent: null })
  t.same(row?.details, { name: member.user.name, account_name: 'Acme', from: 'member', to: 'admin' })
})

t.test('an action by an unknown person has no actor', async (t) => {
  const { app, db } = await sharedApp(t)
  const { user } = await signedUp(app)
  await forgetActivities(db)
  await db.transaction((tx) => record(tx, 'sign_in_refused', { userId: user.id, actorId: null }))
  t.match(await recorded(db), [{ userId: user.id, actorId: null, actorName: null, details: { name: user.name } }])
})

t.test('a record that is part of a statement is written for each of its rows', async (t) => {
  const { app, db } = await sharedApp(t)
  const people = [await signedUp(app), await signedUp(app)]
  await forgetActivities(db)
  const everybody = sql`${users} where ${users.email} like 'ana-%' order by ${users.id}`
  await db.execute(recording('signed_out', { userId: sql`${users.id}` }, everybody))
  t.same(
    (await recorded(db)).map(({ userId, actorName }) => [userId, actorName]),
    people.map(({ user }) => [user.id, user.name]),
  )
  await db.execute(recording('signed_out', { userId: sql`${users.id}` }, sql`${users} where false`))
  t.equal((await recorded(db)).length, 2)
})

t.test('a record contains the client of its request', async (t) => {
  const { app, db } = await sharedApp(t)
  const { browser, user, page } = await signedUp(app, {}, '203.0.113.9')
  await browser.request('DELETE', `/sessions/${page.props.auth.session.id}`, {
    body: {},
    headers: { 'user-agent': 'Mozilla/5.0 (a test)' },
  })
  const [out] = await db.select().from(activities).where(eq(activities.type, 'signed_out'))
  t.match(out, { userId: user.id, ipAddress: '203.0.113.9', userAgent: 'Mozilla/5.0 (a test)' })
})

t.test('a rejected change is not recorded', async (t) => {
  const { app, db } = await sharedApp(t)
  const { account, owner, join } = await startAcme(app)
  const member = await join('member')
  await forgetActivities(db)

  await t.rejects(updateAccount(db, actorAt(account, member), { name: 'Mine now' }))
  t.same(await recorded(db), [])

  const actor = actorAt(account, owner)
  await updateAccount(db, actor, { name: 'Acme' })
  t.same(await recorded(db), [], 'nor one that changes nothing')
  await updateAccount(db, actor, { name: 'Acme & Daughters' })
  t.match(await recorded(db), [{ type: 'account_renamed', details: { from: 'Acme', to: 'Acme & Daughters' } }])
})
