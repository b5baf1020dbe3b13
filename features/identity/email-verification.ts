import { and, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import { broadcastUserChange } from '../accounts/channel.ts'
import { record } from '../activity/index.ts'

type User = { id: number; email: string; emailRevision: number }

/**
 * `openedBy` is the user in whose session the link was opened, if any: mail scanners open links, too, and then the
 * person has proved nothing. Returns false if the address was verified or changed since the user was read, such as by a
 * concurrent request.
 */
export const verifyEmail = ({ db, now }: FastifyInstance, { id, email, emailRevision }: User, openedBy?: number) =>
  db.transaction(async (tx) => {
    const unchanged = and(eq(users.id, id), eq(users.emailRevision, emailRevision), eq(users.verified, false))
    const values = { verified: true, verifiedAt: now(), ...(openedBy === id && { provedEmail: email }) }
    const verified = await tx.update(users).set(values).where(unchanged).returning({ id: users.id })
    if (verified.length === 0) return false
    await record(tx, 'email_verified', { userId: id })
    await broadcastUserChange(tx, id, 'verified')
    return true
  })
