import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Database } from '../../plugins/database/index.ts'

/** Resolves once so many statements in this database wait for a lock, or once `work` is over. */
export async function untilWaiting(db: Database, work: Promise<unknown>, count = 1) {
  let isOver = false
  work.finally(() => {
    isOver = true
  })
  const waiting = sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`
  while (!isOver && (await db.execute(waiting)).rows.length < count) await sleep(5)
}
