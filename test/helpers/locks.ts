import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Database } from '../../plugins/database/index.ts'

/** Returns once a statement of this database waits for a lock, or the work that was to bring that about is over. */
export async function untilWaiting(db: Database, work: Promise<unknown>) {
  let isOver = false
  work.finally(() => {
    isOver = true
  })
  const waiting = sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`
  while (!isOver && (await db.execute(waiting)).length === 0) await sleep(5)
}
