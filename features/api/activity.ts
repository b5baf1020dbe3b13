import { and, asc, eq, gt } from 'drizzle-orm'
import { activities } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { pageOf, pageSize } from '../../plugins/lists.ts'
import { columns } from '../activity/lists.ts'

/**
 * A page of what was recorded in an account after this activity, oldest first. By id: changes of an account wait for
 * each other, so what gets its id earlier is there earlier, while its time is that at which it began to wait.
 */
export async function activitiesSince(db: Database, accountId: number, since: number) {
  const rows = await db
    .select(columns)
    .from(activities)
    .where(and(eq(activities.accountId, accountId), gt(activities.id, since)))
    .orderBy(asc(activities.id))
    .limit(pageSize + 1)
  return pageOf(rows, pageSize)
}
