import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, memberships } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { on } from '../../plugins/domain-events.ts'
import { broadcast, type Channel, recheckSubscribers } from '../../plugins/live/index.ts'
import { missingIn, provedIn } from './requirement.ts'

/** What changed: members and invitations, the account itself, its activity, or the picture of a member. */
type Message = { type: 'members' | 'account' | 'activity' } | { type: 'picture'; user_id: number }

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
  on('members_changed', tellMembers)
  on('account_changed', tellAccount)
  on('activity_recorded', tellActivity)
  on('account_access_changed', recheckMembers)
  on('picture_changed', tellPicture)
}

const tellMembers = (tx: Tx, accountId: number) => broadcast(tx, accountChannel, accountId, { type: 'members' })
const tellAccount = (tx: Tx, accountId: number) => broadcast(tx, accountChannel, accountId, { type: 'account' })
const tellActivity = (tx: Tx, accountId: number) => broadcast(tx, accountChannel, accountId, { type: 'activity' })

async function tellPicture(tx: Tx, userId: number) {
  const own = await tx.select({ id: memberships.accountId }).from(memberships).where(eq(memberships.userId, userId))
  const message = { type: 'picture', user_id: userId } as const
  await Promise.all(own.map(({ id }) => broadcast(tx, accountChannel, id, message)))
}

/** Cuts off listeners who have lost access. */
const recheckMembers = (tx: Tx, accountId: number) => recheckSubscribers(tx, accountChannel, accountId)
