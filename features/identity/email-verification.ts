import { and, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import { emit } from '../../plugins/domain-events.ts'
import { record } from '../activity/index.ts'

type User = { id: number; emailRevision: number }

/** Returns false if the address was verified or changed since the user was read, such as by a concurrent request. */
export const verifyEmail = ({ db, now }: Pick<FastifyInstance, 'db' | 'now'>, { id, emailRevision }: User) =>
  db.transaction(async (tx) => {
    const unchanged = and(eq(users.id, id), eq(users.emailRevision, emailRevision), eq(users.verified, false))
    const values = { verified: true, verifiedAt: now() }
    const verified = await tx.update(users).set(values).where(unchanged).returning({ id: users.id })
    if (verified.length === 0) return false
    await Promise.all([record(tx, 'email_verified', { userId: id }), emit(tx, 'user_verified', id)])
    return true
  })
