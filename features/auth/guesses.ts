import { and, eq, sql } from 'drizzle-orm'
import { activities, type User, users } from '../../drizzle/schema.ts'
import { type Database, isLate, isStorable } from '../../plugins/database/index.ts'
import type { Client } from '../../plugins/http/request.ts'
import { normalizeEmail } from '../../plugins/mail/index.ts'
import { digestOf, rejectIfQueueFull, verifyPassword } from '../../plugins/security/digests.ts'
import { countHit, keyOf, TooManyRequests, uncount } from '../../plugins/security/limits/index.ts'
import { recordEach } from '../activity/index.ts'
import { type Device, ownBudget } from './device.ts'

// Passwords and codes that people type to sign in, each a guess until it is right.

type Credentials = { email: string; password: string; device?: Device | undefined }

/**
 * The user of an address, and the key of the guess that was counted. `authenticated` is the user if the password is
 * right. Unknown addresses and people without a password take as long as a wrong password. Throws TooManyRequests
 * before any password is verified.
 */
export async function verifyCredentials(db: Database, { email, password, device }: Credentials) {
  rejectIfQueueFull()
  const { user, counted } = await findForGuess(db, normalizeEmail(email), device)
  try {
    const outcome = await verifyPassword(password, user?.passwordDigest)
    if (!user?.passwordDigest || outcome === 'wrong') return { user, counted }
    return { user, counted, authenticated: outcome === 'outdated' ? await renewDigest(db, user, password) : user }
  } catch (error) {
    if (!isLate(error)) await uncount(db, counted)
    throw error
  }
}

/** Counts the guess before the check, so concurrent ones cannot exceed the limit. Throws TooManyRequests. */
export async function findForGuess(db: Database, email: string, device: Device | undefined) {
  const [user] = isStorable(email) ? await db.select().from(users).where(eq(users.email, email)) : []
  const counted = (user && ownBudget('guess', device, user)) ?? keyOf('guess', email)
  const { hits, left } = await countHit(db, 'guess', counted)
  if (hits === null) throw new TooManyRequests('guess', left)
  return { user, counted }
}

/** Hashes the password again with the current cost, unless it has changed meanwhile. */
async function renewDigest(db: Database, user: User, password: string) {
  const passwordDigest = await digestOf(password)
  const unchanged = and(eq(users.id, user.id), eq(users.passwordDigest, user.passwordDigest ?? ''))
  await db.update(users).set({ passwordDigest }).where(unchanged)
  return { ...user, passwordDigest }
}

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
    const about = { userId: sql`failed.id`, actorId: null }
    await recordEach(tx, 'sign_in_refused', about, { from: failed, client })
  })
}
