import { sql } from 'drizzle-orm'
import { activities, users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import type { Client } from '../../plugins/http/client.ts'
import { recording } from '../activity/index.ts'

/** Records a wrong password, at most once an hour per client, however often it tries. */
export function recordRefusal(db: Database, userId: number, { ipAddress }: Client) {
  const lately = sql`
    select from ${activities} same
    where same.user_id = refused.id and same.type = 'sign_in_refused' and same.ip_address = ${ipAddress}
      and same.created_at > now() - interval '1 hour'`
  const refused = sql`${users} refused where refused.id = ${userId} and not exists (${lately})`
  return db.transaction(async (tx) => {
    // The lock delays a deletion of the user, and of two concurrent attempts the second sees what the first recorded.
    await tx.execute(sql`select from ${users} where id = ${userId} for no key update`)
    await tx.execute(recording('sign_in_refused', { userId: sql`refused.id`, actorId: null }, refused))
  })
}
