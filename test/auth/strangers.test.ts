import { eq } from 'drizzle-orm'
import t, { type Test } from 'tap'
import { emailChanges, invitations, memberships, users } from '../../drizzle/schema.ts'
import type { Browser } from '../helpers/browser.ts'
import { invite, openGuest, sharedAcme, sidOf } from '../helpers/people.ts'
import { recorded } from '../helpers/records.ts'

/** Somebody signed up with another person's address, made Acme, and let people in before and after it was verified. */
async function startSquatted(t: Test) {
  const acme = await sharedAcme(t)
  const { app, db, account, owner, join } = acme
  const accomplice = await join('admin')
  await invite(app, owner, acme.path, 'one@example.com', 'admin')
  await invite(app, accomplice, acme.path, 'two@example.com')
  const [now] = await db.select().from(users).where(eq(users.id, accomplice.user.id))
  const verifiedAt = new Date((now?.createdAt.getTime() ?? 0) + 60_000)
  await db.update(users).set({ verified: true, verifiedAt }).where(eq(users.id, owner.user.id))
  const later = async (role: 'owner' | 'member') => {
    const { user, membershipId } = await join(role)
    await db.update(memberships).set({ createdAt: verifiedAt }).where(eq(memberships.id, membershipId))
    return user.id
  }
  const memberIds = async () => (await acme.membersNow()).map(({ userId }) => userId)
  const pending = () => db.$count(invitations, eq(invitations.accountId, account.id))
  /** The person proves the address, by a link of a mail. */
  async function reset(browser?: Browser) {
    const sid = await sidOf(app, 'password_reset', owner.user.id)
    const body = { sid, password: 'a fresh password', password_confirmation: 'a fresh password' }
    await (browser ?? (await openGuest(app))).submit('PATCH', '/identity/password_reset', body)
  }
  return { ...acme, accomplice, later, memberIds, pending, reset, ids: [owner.user.id, accomplice.user.id] }
}

t.test('who joined before an address was verified leaves, with all invitations, once somebody proves it', async (t) => {
  const { db, owner, account, accomplice, later, memberIds, pending, reset } = await startSquatted(t)
  const member = await later('member')
  await reset()
  t.same(await memberIds(), [owner.user.id, member])
  t.equal(await pending(), 0)
  const removed = (await recorded(db)).filter(({ type }) => type === 'member_removed')
  t.match(removed, [{ accountId: account.id, userId: accomplice.user.id, actorId: null, ipAddress: null }])

  t.equal((await accomplice.browser.request('GET', `/${account.slug}`)).statusCode, 404)
  await reset()
  t.same(await memberIds(), [owner.user.id, member], 'a second proof ends nothing')
})

t.test('in a browser that knows the person, nothing of that ends', async (t) => {
  const { owner, memberIds, pending, reset, ids } = await startSquatted(t)
  await reset(owner.browser)
  t.same(await memberIds(), ids)
  t.equal(await pending(), 2)
})

t.test('members stay with another owner who joined since, or of whoever may have proved another address', async (t) => {
  const shared = await startSquatted(t)
  const partner = await shared.later('owner')
  await shared.reset()
  t.same(await shared.memberIds(), [...shared.ids, partner])
  t.equal(await shared.pending(), 1, 'what the user sent is withdrawn')

  const moved = await startSquatted(t)
  const previous = { previousEmail: 'ana@former.example', previousProved: true, createdAt: new Date() }
  await moved.db.insert(emailChanges).values({ userId: moved.owner.user.id, ...previous })
  await moved.reset()
  t.same(await moved.memberIds(), moved.ids)

  const old = await startSquatted(t)
  const createdAt = new Date(Date.now() - 31 * 86_400_000)
  await old.db.update(users).set({ createdAt }).where(eq(users.id, old.owner.user.id))
  await old.reset()
  t.same(await old.memberIds(), old.ids)
})
