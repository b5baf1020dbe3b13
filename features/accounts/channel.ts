import { sql } from 'drizzle-orm'
import { accounts, memberships } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { broadcast, type Channel, recheckSubscribers } from '../../plugins/live/index.ts'
import { missingIn, provedIn } from './requirement.ts'

/** What changed: members and invitations, the account itself, or its activity. */
type Message = { type: 'members' } | { type: 'account' } | { type: 'activity' }

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

export const announceMembers = (tx: Tx, accountId: number) =>
  broadcast(tx, accountChannel, accountId, { type: 'members' })

export const announceAccount = (tx: Tx, accountId: number) =>
  broadcast(tx, accountChannel, accountId, { type: 'account' })

/** Cuts off listeners who have lost access. */
export const closeChannel = (tx: Tx, accountId: number) => recheckSubscribers(tx, accountChannel, accountId)
