import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, memberships, users } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { on } from '../../plugins/domain-events.ts'
import { broadcast, type Channel, recheckSubscribers } from '../../plugins/live/index.ts'
import { missingIn, provedIn } from './requirement.ts'

type Message =
  /** What changed: `members` and invitations, the `account` itself, its `activity`, or what a feature keeps in it. */
  | { type: string }
  /** The picture of a member, or that their address is verified now. */
  | { type: 'picture' | 'verified'; user_id: number }
  /** Why somebody is about to lose access. */
  | { type: 'removed'; user_id: number; by: string }
  | { type: 'deleted'; by: string }

/** Tells the members of an account what changed. Keyed by id, since a slug may pass to another account. */
export const accountChannel: Channel<'account', Message> = {
  name: 'AccountChannel',
  params: ['account'],
  presence: true,
  async subscribe(db, subscribers) {
    const asked = JSON.stringify(
      subscribers.map(({ userId, sessionToken: token, params }) => ({ user_id: userId, token, slug: params.account })),
    )
    const missing = missingIn(sql`a.require_second_factor`, sql`asked.user_id`, provedIn(sql`asked.token`))
    const rows = await db.execute<{ token: string; slug: string; id: string }>(sql`
      select asked.token, asked.slug, a.id
      from json_to_recordset(${asked}::json) as asked(user_id bigint, token text, slug text)
      join ${accounts} a on a.slug = asked.slug
      join ${memberships} m on m.account_id = a.id and m.user_id = asked.user_id
      where ${missing} is null`)
    const ids = new Map(rows.map(({ token, slug, id }) => [`${token} ${slug}`, id]))
    return subscribers.map(({ sessionToken, params }) => ids.get(`${sessionToken} ${params.account}`))
  },
}

/** Opens the channel, and tells its members what happens. */
export function openChannel(app: FastifyInstance) {
  app.live.channel(accountChannel)
  on('members_changed', tellOfMembers)
  on('account_changed', tellOfAccount)
  on('activity_recorded', tellOfActivity)
  on('account_access_changed', recheckMembers)
  on('picture_changed', tellPicture)
  on('user_verified', tellVerified)
  on('member_removed', tellRemoved)
  on('account_deleted', tellDeleted)
}

/** Tells all tabs in which a member has the account open what of it changed. */
export const tellMembers = (tx: Tx, accountId: number, type: string) =>
  broadcast(tx, accountChannel, accountId, { type })

const tellOfMembers = (tx: Tx, accountId: number) => tellMembers(tx, accountId, 'members')
const tellOfAccount = (tx: Tx, accountId: number) => tellMembers(tx, accountId, 'account')
const tellOfActivity = (tx: Tx, accountId: number) => tellMembers(tx, accountId, 'activity')

const tellPicture = (tx: Tx, userId: number) => tellAbout(tx, userId, 'picture')
const tellVerified = (tx: Tx, userId: number) => tellAbout(tx, userId, 'verified')

async function tellAbout(tx: Tx, userId: number, type: 'picture' | 'verified') {
  const own = await tx.select({ id: memberships.accountId }).from(memberships).where(eq(memberships.userId, userId))
  await Promise.all(own.map(({ id }) => broadcast(tx, accountChannel, id, { type, user_id: userId })))
}

type About = { actorId?: number; userId?: number }

async function tellRemoved(tx: Tx, accountId: number, { actorId = 0, userId = 0 }: About) {
  const by = await nameOf(tx, actorId)
  await broadcast(tx, accountChannel, accountId, { type: 'removed', user_id: userId, by })
}

async function tellDeleted(tx: Tx, accountId: number, { actorId = 0 }: About) {
  await broadcast(tx, accountChannel, accountId, { type: 'deleted', by: await nameOf(tx, actorId) })
}

async function nameOf(tx: Tx, userId: number) {
  const [user] = await tx.select({ name: users.name }).from(users).where(eq(users.id, userId))
  return user?.name ?? ''
}

/** Cuts off listeners who have lost access. */
const recheckMembers = (tx: Tx, accountId: number) => recheckSubscribers(tx, accountChannel, accountId)
