import { and, type SQL, sql } from 'drizzle-orm'
import { sessions } from '../../drizzle/schema.ts'

type Lifetimes = { idleMs: number | undefined; maxMs: number | undefined }

export type SessionPolicy = ReturnType<typeof sessionPolicy>

const hourMs = 3_600_000

/** How long sessions last. Every statement that reads sessions includes the condition. */
export function sessionPolicy({ idleMs, maxMs }: Lifetimes, now: () => Date) {
  const activeAt = (at: SQL): SQL | undefined =>
    and(
      maxMs ? sql`${sessions.createdAt} > ${at}::timestamptz - ${milliseconds(maxMs)}` : undefined,
      idleMs ? sql`${sessions.lastSeenAt} > ${at}::timestamptz - ${milliseconds(idleMs)}` : undefined,
    )

  return {
    /** How far `last_seen_at` may lag behind the actual last use. */
    staleAfterMs: Math.min(hourMs, (idleMs ?? Number.POSITIVE_INFINITY) / 10),
    /** Condition for a statement on `sessions` that runs at once. Undefined if sessions do not expire. */
    isActive: () => activeAt(sql`${now().toISOString()}`),
    /** The same for a prepared statement, to be executed with `now`. */
    isActiveAt: () => activeAt(sql`${sql.placeholder('now')}`),
  }
}

const milliseconds = (count: number) => sql.raw(`interval '${count} milliseconds'`)
