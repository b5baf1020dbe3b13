import { sql } from 'drizzle-orm'
import { accounts, activities } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'

const somebody = 'a deleted user'

/**
 * Takes a user who has just been deleted out of what is remembered: what was theirs alone goes, and what others share keeps neither name, nor address,
 * nor browser. After the deletion, because that waits for whatever the user was doing, so that all of it is there to be found.
 */
export async function forgetUser(tx: Tx, userId: number) {
  const inAccount = sql`exists (select from ${accounts} where ${accounts.id} = ${activities.accountId})`
  await tx.execute(sql`delete from ${activities} where ${activities.userId} = ${userId} and not ${inAccount}`)
  const anonymous = sql`actor_id = null, actor_name = ${somebody}, ip_address = null, user_agent = null`
  // Each in the words of an index.
  await tx.execute(sql`
    update ${activities} set ${anonymous} where ${activities.userId} = ${userId} and ${activities.actorId} = ${userId}`)
  await tx.execute(sql`
    update ${activities} set ${anonymous}
    where ${activities.actorId} = ${userId} and ${activities.actorId} is distinct from ${activities.userId}`)
  await tx.execute(sql`
    update ${activities} set user_id = null, details = details || jsonb_build_object('name', ${somebody}::text)
    where ${activities.userId} = ${userId}`)
}
