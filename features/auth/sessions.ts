import { randomBytes } from 'node:crypto'
import { and, desc, eq } from 'drizzle-orm'
import { sessions, users } from '../../drizzle/schema.ts'
import type { Client } from '../../plugins/client.ts'
import type { Database, Tx } from '../../plugins/database.ts'
import { normalizeEmail } from '../../plugins/email-address.ts'
import { recheckUser } from '../../plugins/live/index.ts'
import { digestOf, isOutdated, isPassword } from '../../plugins/passwords.ts'
import { lastUsedSlug } from '../accounts/accounts.ts'

type Verified = typeof users.$inferSelect & { password: string }

/** The user whose email and password these are. An unknown email takes as long as a wrong password. */
export async function verifyCredentials(db: Database, email: string, password: string): Promise<Verified | undefined> {
  const user = await userWithEmail(db, normalizeEmail(email))
  const matches = await isPassword(password, user?.passwordDigest)
  return user && matches ? { ...user, password } : undefined
}

/**
 * A session for a verified user, and the slug of the account to go to. Undefined when the password was changed after it was verified: the
 * lock makes a change wait for this session, which it then removes, or makes this wait and see the new digest.
 */
export async function signIn(db: Database, verified: Verified, client: Client) {
  const newDigest = isOutdated(verified.passwordDigest) ? await digestOf(verified.password) : undefined
  return db.transaction(async (tx) => {
    const unchanged = and(eq(users.id, verified.id), eq(users.passwordDigest, verified.passwordDigest))
    const [user] = await tx
      .select()
      .from(users)
      .where(unchanged)
      .for(newDigest ? 'update' : 'share')
    if (!user) return undefined
    if (newDigest) await tx.update(users).set({ passwordDigest: newDigest }).where(eq(users.id, user.id))
    return { session: await insertSession(tx, user.id, client), slug: await lastUsedSlug(tx, verified) }
  })
}

export async function insertSession(tx: Tx, userId: number, { ipAddress, userAgent }: Client) {
  const token = randomBytes(32).toString('base64url')
  await tx.insert(sessions).values({ token, userId, ipAddress, userAgent })
  return { token }
}

/** False when the user has no such session. */
export async function endSession(db: Database, userId: number, token: string) {
  if (!/^[\w-]+$/.test(token)) return false // what no token looks like, the database might not even take as text
  const own = and(eq(sessions.token, token), eq(sessions.userId, userId))
  return db.transaction(async (tx) => {
    const ended = await tx.delete(sessions).where(own).returning({ token: sessions.token })
    if (ended.length > 0) await recheckUser(tx, userId)
    return ended.length > 0
  })
}

export const sessionsOf = (db: Database, userId: number) =>
  db.select().from(sessions).where(eq(sessions.userId, userId)).orderBy(desc(sessions.createdAt), sessions.token)

async function userWithEmail(db: Database, email: string) {
  if (!email.isWellFormed() || email.includes('\0')) return undefined // no stored address is like that
  const [user] = await db.select().from(users).where(eq(users.email, email))
  return user
}
