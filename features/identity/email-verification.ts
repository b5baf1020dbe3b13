import { and, eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { emit } from '../../plugins/domain-events.ts'
import type { Tokens } from '../../plugins/security/tokens.ts'
import { recording } from '../activity/index.ts'

type User = Pick<typeof users.$inferSelect, 'id' | 'email' | 'emailRevision' | 'verified'>

export const mintVerification = (tokens: Tokens, user: User) =>
  tokens.mint({ purpose: 'email_verification', userId: user.id, state: stateOf(user) })

/** Redeems a token. Of concurrent requests, only the one that verified the address gets it. */
export async function verifyEmail({ db, tokens, now }: Pick<FastifyInstance, 'db' | 'tokens' | 'now'>, sid: string) {
  const token = tokens.read('email_verification', sid)
  if (!token) return undefined
  const [user] = await db.select().from(users).where(eq(users.id, token.userId))
  if (!user || !token.isFor(stateOf(user))) return undefined
  return (await markVerified(db, user, now())) ? user.email : undefined
}

/** Returns false if the address was verified or changed since the user was read. */
export const markVerified = (db: Database, { id, emailRevision }: User, now: Date) =>
  db.transaction(async (tx) => {
    const unchanged = and(eq(users.id, id), eq(users.emailRevision, emailRevision), eq(users.verified, false))
    const verified = await tx.execute(sql`
    with verified as (
      update ${users} set verified = true, verified_at = ${now.toISOString()}, updated_at = now()
      where ${unchanged} returning id
    ),
    recorded as (
      ${recording('email_verified', { userId: sql`verified.id` }, sql`verified`)}
    )
    select from verified`)
    if (verified.length > 0) await emit(tx, 'user_verified', id)
    return verified.length > 0
  })

// Includes `verified`, so a link works only once.
const stateOf = ({ email, emailRevision, verified }: User) => [email, emailRevision, verified].join(' ')
