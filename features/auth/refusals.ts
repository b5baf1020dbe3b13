import { sql } from 'drizzle-orm'
import { activities, users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import type { Client } from '../../plugins/http/client.ts'
import { recording } from '../activity/index.ts'

/** Remembers that somebody did not know a user's password: once an hour for each client, however often they try. */
export function recordRefusal(db: Database, userId: number, { ipAddress }: Client) {
  const lately = sql`
    select from ${activities} same
    where same.user_id = refused.id and same.type = 'sign_in_refused' and same.ip_address = ${ipAddress}
      and same.created_at > now() - interval '1 hour'`
  const refused = sql`${users} refused where refused.id = ${userId} and not exists (${lately})`
  return db.transaction(async (tx) => {
    // The user's deletion waits for this, and of two at once the second sees what the first has written.
    await tx.execute(sql`select from ${users} where id = ${userId} for no key update`)
    await tx.execute(recording('sign_in_refused', { userId: sql`refused.id`, actorId: null }, refused))
  })
}
