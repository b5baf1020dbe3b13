import { and, eq, isNull, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { activities, type User, users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import type { Client } from '../../plugins/http/client.ts'
import { normalizeEmail } from '../../plugins/mail/email-address.ts'
import { digestOf, requireRoom, verifyPassword } from '../../plugins/security/digests.ts'
import { uncount } from '../../plugins/security/limits/index.ts'
import { recording } from '../activity/index.ts'
import type { Device, Visitor } from './device.ts'
import { findForGuess } from './guesses.ts'
import { startSession } from './sessions.ts'

type Credentials = { email: string; password: string; device?: Device | undefined }

/**
 * The user of an address, and the key of the guess that was counted. `authenticated` is set if the password is right. An unknown
 * address takes as long as a wrong password, and so does that of a person without one. Throws TooManyRequests before
 * any password is verified.
 */
export async function verifyCredentials(db: Database, { email, password, device }: Credentials) {
  requireRoom()
  const { user, counted } = await findForGuess(db, normalizeEmail(email), device)
  try {
    const outcome = await verifyPassword(password, user?.passwordDigest)
    if (!user?.passwordDigest || outcome === 'wrong') return { user, counted }
    return { user, counted, authenticated: outcome === 'outdated' ? await renewDigest(db, user, password) : user }
  } catch (error) {
    await uncount(db, counted)
    throw error
  }
}

/** Hashes the password again with the current cost, normalized. The update is skipped if the password has changed meanwhile. */
async function renewDigest(db: Database, user: User, password: string) {
  const passwordDigest = await digestOf(password)
  const unchanged = and(eq(users.id, user.id), eq(users.passwordDigest, user.passwordDigest ?? ''))
  await db.update(users).set({ passwordDigest }).where(unchanged)
  return { ...user, passwordDigest }
}

/**
 * Starts a session for an authenticated user. Undefined if the password was changed or a second factor was added after
 * the verification: the row lock makes such a change wait and then remove this session, or makes this wait and see it.
 */
export const startPasswordSession = (app: FastifyInstance, user: User, visitor: Visitor) =>
  app.db.transaction(async (tx) => {
    const [unchanged] = await tx
      .select({ id: users.id })
      .from(users)
      .where(
        and(eq(users.id, user.id), eq(users.passwordDigest, user.passwordDigest ?? ''), isNull(users.secondFactorAt)),
      )
      .for('share')
    return unchanged && startSession(tx, app.now(), user, visitor, 'password')
  })

/** Records a wrong password, at most once an hour per client, however often it tries. */
export function recordFailedSignIn(db: Database, userId: number, client: Client) {
  const recordedBefore = sql`
    select from ${activities} same
    where same.user_id = failed.id and same.type = 'sign_in_refused' and same.ip_address = ${client.ipAddress}
      and same.created_at > now() - interval '1 hour'`
  const failed = sql`${users} failed where failed.id = ${userId} and not exists (${recordedBefore})`
  return db.transaction(async (tx) => {
    // The lock delays a deletion of the user, and of two concurrent attempts the second sees what the first recorded.
    await tx.execute(sql`select from ${users} where id = ${userId} for no key update`)
    await tx.execute(recording('sign_in_refused', { userId: sql`failed.id`, actorId: null }, failed, client))
  })
}
