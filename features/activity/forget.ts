import { and, eq, inArray, sql } from 'drizzle-orm'
import { accounts, activities } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'

const deletedUser = 'a deleted user'

/**
 * Removes a deleted user from the activities. Those that concern only them are deleted, shared ones lose name, address
 * and browser. `leftIds` are the accounts that the user left just now, of which a personal one had their name. Runs
 * after the deletion, which waits for the user's other transactions, so everything they recorded is visible.
 */
export async function forgetUser(tx: Tx, userId: number, leftIds: number[]) {
  await forgetAccountNames(tx, userId, leftIds)
  const inAccount = sql`exists (select from ${accounts} where ${accounts.id} = ${activities.accountId})`
  const aboutOthers = sql`${activities.actorId} = ${userId} and ${activities.actorId} is distinct from ${activities.userId}`
  await tx.execute(sql`delete from ${activities} where ${activities.userId} = ${userId} and not ${inAccount}`)
  // What they did in accounts that no longer exist, whose names may contain theirs.
  await tx.execute(
    sql`delete from ${activities} where ${aboutOthers} and ${activities.userId} is null and not ${inAccount}`,
  )
  const anonymous = sql`actor_id = null, actor_name = ${deletedUser}, ip_address = null, user_agent = null`
  // Each condition matches an index.
  await tx.execute(sql`
    update ${activities} set ${anonymous} where ${activities.userId} = ${userId} and ${activities.actorId} = ${userId}`)
  await tx.execute(sql`update ${activities} set ${anonymous} where ${aboutOthers}`)
  await tx.execute(sql`
    update ${activities} set user_id = null, details = details || jsonb_build_object('name', ${deletedUser}::text)
    where ${activities.userId} = ${userId}`)
}

/** Reads the names that the user ever had from their own activities, so it has to come first. */
async function forgetAccountNames(tx: Tx, userId: number, leftIds: number[]) {
  const shared = and(inArray(accounts.id, leftIds), eq(accounts.personal, false))
  const remaining = await tx.select({ id: accounts.id }).from(accounts).where(shared)
  // Looked up first: an account that others share may have a million activities.
  const unshared = leftIds.filter((id) => !remaining.some((account) => account.id === id))
  if (unshared.length === 0) return
  const names = sql`
    select left(recorded.actor_name, 60) from ${activities} recorded
    where recorded.user_id = ${userId} and recorded.actor_id = ${userId}`
  const forget = (field: string) => {
    const anonymous = sql`jsonb_build_object(${field}::text, ${`${deletedUser}'s account`}::text)`
    return tx.execute(sql`
      update ${activities} set details = details || ${anonymous}
      where ${inArray(activities.accountId, unshared)} and details ->> ${field} in (${names})`)
  }
  await Promise.all(['account_name', 'from', 'to'].map(forget))
}
