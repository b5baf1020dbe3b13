import { eq } from 'drizzle-orm'
import t from 'tap'
import { accounts, memberships, users } from '../../drizzle/schema.ts'
import { invite } from '../../features/accounts/invitations.ts'
import { removeUser } from '../../features/auth/user-deletion.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { on } from '../../plugins/domain-events.ts'
import { actorAt, startAcme, tokenOf } from '../helpers/accounts.ts'
import { sharedApp } from '../helpers/app.ts'
import { Browser } from '../helpers/browser.ts'
import { password, signedUp, somebody } from '../helpers/people.ts'

// What a feature hears that counts the seats of an account, or keeps something of a person elsewhere.

const heard: unknown[][] = []
const names = ['member_joined', 'member_left', 'account_deleted', 'user_deleted', 'user_replaced'] as const
let fails = false
for (const name of names) {
  on(name, async (tx: Tx, id, { userId }) => {
    // All of them come while the row that they are about is still there.
    const table = name.startsWith('user') ? users : accounts
    heard.push([name, id, ...(userId ? [userId] : []), ...((await tx.$count(table, eq(table.id, id))) ? [] : ['late'])])
    if (fails) throw new Error('the feature is broken')
  })
}
t.beforeEach(() => void heard.splice(0))

t.test('everybody who signs up joins an account of their own, and who follows an invitation another one', async (t) => {
  const { app, db } = await sharedApp(t)
  const { owner, account } = await startAcme(app)
  const [personal] = await db.select().from(accounts).where(eq(accounts.slug, owner.slug))
  t.same(heard, [
    ['member_joined', personal?.id, owner.user.id],
    ['member_joined', account.id, owner.user.id],
  ])
  heard.splice(0)
  const guest = await signedUp(app)
  const { id } = await invite(app, actorAt(account, owner), { email: guest.person.email, role: 'member' })
  const path = `/invitations/${await tokenOf(app, id)}/accept`
  await Promise.all([guest.browser.request('POST', path), guest.browser.request('POST', path)])
  t.same(heard.slice(1), [['member_joined', account.id, guest.user.id]], 'once, however often it is followed')
})

t.test('who leaves or is removed has left, and a deleted account is told as a whole', async (t) => {
  const { app } = await sharedApp(t)
  const { path, owner, account, join } = await startAcme(app)
  const [leaving, removed] = [await join('member'), await join('member')]
  heard.splice(0)
  await leaving.browser.submit('DELETE', `${path}/members/${leaving.membershipId}`)
  await owner.browser.submit('DELETE', `${path}/members/${removed.membershipId}`)
  await owner.browser.submit('DELETE', path, { password_challenge: password })
  t.same(heard, [
    ['member_left', account.id, leaving.user.id],
    ['member_left', account.id, removed.user.id],
    ['account_deleted', account.id],
  ])
})

t.test('a deleted user leaves all accounts, and those without anybody else go as well', async (t) => {
  const { app, db } = await sharedApp(t)
  const { owner, account, join } = await startAcme(app)
  await join('member')
  const [personal] = await db.select().from(accounts).where(eq(accounts.slug, owner.slug))
  heard.splice(0)
  await owner.browser.submit('DELETE', '/users', { password_challenge: password })
  t.same(heard, [
    ['member_left', personal?.id, owner.user.id],
    ['member_left', account.id, owner.user.id],
    ['account_deleted', personal?.id],
    ['user_deleted', owner.user.id],
  ])
})

t.test('so does one whom operators or the sweeper remove', async (t) => {
  const { app } = await sharedApp(t)
  const { user } = await signedUp(app)
  heard.splice(0)
  await removeUser(app, user.id)
  t.same(
    heard.map(([name]) => name),
    ['member_left', 'account_deleted', 'user_deleted'],
  )
})

t.test('whoever proves an address replaces its user, whose guests have left', async (t) => {
  const { app } = await sharedApp(t)
  const squatter = await signedUp(app)
  const { owner, account } = await startAcme(app)
  const page = await squatter.browser.submit('POST', '/accounts', { name: 'Trap' })
  const trap = { id: page.props.account.id }
  await app.db.insert(memberships).values({ accountId: trap.id, userId: owner.user.id, role: 'member' })
  const { id } = await invite(app, actorAt(account, owner), { email: squatter.person.email, role: 'member' })
  const token = await tokenOf(app, id)
  heard.splice(0)
  const browser = await Browser.open(app)
  const { email } = squatter.person
  await browser.submit('POST', '/sign_up', { ...somebody({ email }), invitation: token })
  t.same(heard, [
    ['member_left', trap.id, owner.user.id],
    ['user_replaced', squatter.user.id],
    ['member_joined', account.id, squatter.user.id],
  ])
})

t.test('a feature that fails to take part undoes everything', async (t) => {
  const { app, db } = await sharedApp(t)
  fails = true
  t.teardown(() => {
    fails = false
  })
  const browser = await Browser.open(app)
  t.equal((await browser.request('POST', '/sign_up', { body: somebody() })).statusCode, 500)
  t.equal(await db.$count(users), 0)
  t.equal(await db.$count(accounts), 0)
})
