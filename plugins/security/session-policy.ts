import { and, type SQL, sql } from 'drizzle-orm'
import fp from 'fastify-plugin'
import { sessions } from '../../drizzle/schema.ts'

/** Milliseconds since the last use and since the start. Without either, sessions do not expire. */
type Lifetimes = { idle: number | undefined; max: number | undefined }

declare module 'fastify' {
  interface FastifyInstance {
    sessionPolicy: SessionPolicy
  }
}

export type SessionPolicy = ReturnType<typeof sessionPolicy>

const anHour = 3_600_000 // milliseconds

export default fp<Lifetimes>(
  async (app, lifetimes) => {
    app.decorate('sessionPolicy', sessionPolicy(lifetimes, app.now))
  },
  { name: 'session-policy', dependencies: ['clock'] },
)

/**
 * How long sessions last, by the clock of the process. Every statement that reads sessions includes the condition, so
 * an expired session does not work anywhere.
 */
function sessionPolicy({ idle, max }: Lifetimes, now: () => Date) {
  const alive = (at: SQL): SQL | undefined =>
    and(
      max ? sql`${sessions.createdAt} > ${at}::timestamptz - ${milliseconds(max)}` : undefined,
      idle ? sql`${sessions.lastSeenAt} > ${at}::timestamptz - ${milliseconds(idle)}` : undefined,
    )

  return {
    endsSessions: idle !== undefined || max !== undefined,
    /** How far `last_seen_at` may lag behind the actual last use. */
    staleAfter: Math.min(anHour, (idle ?? Number.POSITIVE_INFINITY) / 10),
    /** Condition for a statement on `sessions` that runs at once. Undefined if sessions do not expire. */
    alive: () => alive(sql`${now().toISOString()}`),
    /** The same for a prepared statement, to be executed with `moment()`. */
    aliveThen: () => alive(sql`${sql.placeholder('now')}`),
    moment: () => (idle || max ? { now: now().toISOString() } : {}),
  }
}

const milliseconds = (count: number) => sql.raw(`interval '${count} milliseconds'`)
