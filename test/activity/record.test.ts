import { eq } from 'drizzle-orm'
import t from 'tap'
import { users } from '../../drizzle/schema.ts'
import { record } from '../../features/activity/index.ts'
import { sharedAcme, sharedPerson } from '../helpers/people.ts'
import { forgetActivities, recorded } from '../helpers/records.ts'

t.test('a record exists after the commit, and never after a rollback', async (t) => {
  const { db, user } = await sharedPerson(t)
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
  const { db, account, owner, join } = await sharedAcme(t)
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
  const { db, user } = await sharedPerson(t)
  await forgetActivities(db)
  await db.transaction((tx) => record(tx, 'sign_in_refused', { userId: user.id, actorId: null }))
  t.match(await recorded(db), [{ userId: user.id, actorId: null, actorName: null, details: { name: user.name } }])
})
