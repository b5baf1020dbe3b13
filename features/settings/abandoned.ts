import { and, eq, exists, gte, lt, ne, notExists } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { FastifyInstance } from 'fastify'
import { memberships, sessions, users } from '../../drizzle/schema.ts'
import { neverVerified } from '../auth/claims.ts'

const thirtyDaysMs = 2_592_000_000

/**
 * Users who never proved an address, were not seen for 30 days, and share no account with anybody. They are deleted, or
 * they would keep others from signing up with addresses that may not be theirs.
 */
export function abandoned({ db, now }: Pick<FastifyInstance, 'db' | 'now'>) {
  const monthAgo = new Date(now().getTime() - thirtyDaysMs)
  const seen = db
    .select({ token: sessions.token })
    .from(sessions)
    .where(and(eq(sessions.userId, users.id), gte(sessions.lastSeenAt, monthAgo)))
  const other = alias(memberships, 'other')
  const others = db
    .select({ id: other.id })
    .from(other)
    .where(and(eq(other.accountId, memberships.accountId), ne(other.userId, memberships.userId)))
  const shared = db
    .select({ id: memberships.id })
    .from(memberships)
    .where(and(eq(memberships.userId, users.id), exists(others)))
  return and(lt(users.createdAt, monthAgo), neverVerified(db), notExists(seen), notExists(shared))
}
