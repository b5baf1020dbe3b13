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
const aDay = 24 * anHour

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
export function sessionPolicy({ idle, max }: Lifetimes, now: () => Date) {
  const alive = (at: SQL): SQL | undefined =>
    and(
      max ? sql`${sessions.createdAt} > ${at}::timestamptz - ${milliseconds(max)}` : undefined,
      idle ? sql`${sessions.lastSeenAt} > ${at}::timestamptz - ${milliseconds(idle)}` : undefined,
    )

  const ago = (time: number) => sql`${new Date(now().getTime() - time).toISOString()}`

  return {
    endsSessions: idle !== undefined || max !== undefined,
    /** How far `last_seen_at` may lag behind the actual last use. */
    staleAfter: Math.min(anHour, (idle ?? Number.POSITIVE_INFINITY) / 10),
    /** Condition for a statement on `sessions` that runs at once. Undefined if sessions do not expire. */
    alive: () => alive(ago(0)),
    /** The same a day ago. Until then the row stays, so that a page that still lists the session can end it. */
    lately: () => alive(ago(aDay)),
    /** The same for a prepared statement, to be executed with `moment()`. */
    aliveThen: () => alive(sql`${sql.placeholder('now')}`),
    moment: () => (idle || max ? { now: now().toISOString() } : {}),
  }
}

const milliseconds = (count: number) => sql.raw(`interval '${count} milliseconds'`)
