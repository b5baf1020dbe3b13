import { and, type SQL, sql } from 'drizzle-orm'
import fp from 'fastify-plugin'
import { sessions } from '../../drizzle/schema.ts'

/** In milliseconds, since it was last used and since it began; without either, sessions do not end by themselves. */
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

/** How long a session lasts, by the clock of the process. Every statement that reads sessions asks for it, so that one past its time is gone for every purpose. */
function sessionPolicy({ idle, max }: Lifetimes, now: () => Date) {
  const alive = (at: SQL): SQL | undefined =>
    and(
      max ? sql`${sessions.createdAt} > ${at}::timestamptz - ${milliseconds(max)}` : undefined,
      idle ? sql`${sessions.lastSeenAt} > ${at}::timestamptz - ${milliseconds(idle)}` : undefined,
    )

  return {
    endsSessions: idle !== undefined || max !== undefined,
    /** How long the note of when a session was last used may lag behind. */
    staleAfter: Math.min(anHour, (idle ?? Number.POSITIVE_INFINITY) / 10),
    /** Condition for a statement on `sessions` that is run right away; undefined without a policy. */
    alive: () => alive(sql`${now().toISOString()}`),
    /** The same for a prepared statement, which is executed with `moment()`. */
    aliveThen: () => alive(sql`${sql.placeholder('now')}`),
    moment: () => ({ now: now().toISOString() }),
  }
}

const milliseconds = (count: number) => sql.raw(`interval '${count} milliseconds'`)
