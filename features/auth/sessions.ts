import { randomBytes } from 'node:crypto'
import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { sessions, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { normalizeEmail } from '../../plugins/forms/email-address.ts'
import type { Client } from '../../plugins/http/client.ts'
import { recheckUser } from '../../plugins/live/index.ts'
import { holdUser } from '../../plugins/security/challenges.ts'
import type { Device } from '../../plugins/security/device.ts'
import { digestOf, isOutdated, isPassword } from '../../plugins/security/digests.ts'
import { requireRoom } from '../../plugins/security/hashing.ts'
import { holdSession, SignedOut } from '../../plugins/security/while-signed-in.ts'
import { selectLastUsedSlug } from '../accounts/accounts.ts'
import { record, recording } from '../activity/index.ts'
import { type FindForGuess, forgive, forgiveUser, type Guess, takeBack } from './guesses.ts'

type App = Pick<FastifyInstance, 'db' | 'sessionPolicy'>
type User = typeof users.$inferSelect
/** The client, and the device that its cookie names. */
export type Visitor = Client & { device: Device | undefined }
type Credentials = { email: string; password: string; device?: Device | undefined }

/**
 * The user of an address, and the guess that was counted. `verified` is set if the password is right. An unknown
 * address takes as long as a wrong password. Throws TooManyRequests before any password is verified.
 */
export async function verifyCredentials(
  db: Database,
  findForGuess: FindForGuess,
  { email, password, device }: Credentials,
) {
  requireRoom()
  const { user, guess } = await findForGuess(normalizeEmail(email), device)
  try {
    const matches = await isPassword(password, user?.passwordDigest)
    if (!user || !matches) return { user, guess }
    return { user, guess, verified: isOutdated(user.passwordDigest) ? await renewDigest(db, user, password) : user }
  } catch (error) {
    await takeBack(db, guess)
    throw error
  }
}

/** Hashes the password again with the current cost. The update is skipped if the password has changed meanwhile. */
async function renewDigest(db: Database, user: User, password: string) {
  const passwordDigest = await digestOf(password)
  const unchanged = and(eq(users.id, user.id), eq(users.passwordDigest, user.passwordDigest))
  await db.update(users).set({ passwordDigest }).where(unchanged)
  return { ...user, passwordDigest }
}

/**
 * Starts a session for a verified user and finds the account to go to. Undefined if the password was changed or a
 * second factor was added after the verification: the row lock makes such a change wait and then remove this session,
 * or makes this statement wait and see the change. A single statement, which saves the round trips of a transaction.
 */
export async function signIn(
  { db, now }: Pick<FastifyInstance, 'db' | 'now'>,
  verified: User,
  guess: Guess,
  client: Client,
) {
  const token = newToken()
  const at = now().toISOString()
  const [started] = await db.execute<{ slug: string | null; activity: string }>(sql`
    with unchanged as (
      select id from ${users}
      where id = ${verified.id} and password_digest = ${verified.passwordDigest} and second_factor_at is null for share
    ), started as (
      insert into ${sessions} (token, user_id, ip_address, user_agent, created_at, last_seen_at)
      select ${token}::text, id, ${client.ipAddress}::text, ${client.userAgent}::text,
        ${at}::timestamptz, ${at}::timestamptz
      from unchanged
    ), recorded as (${recording('signed_in', { userId: verified.id }, sql`unchanged`)}),
    forgiven as (${forgive(guess)} and exists (select from unchanged))
    select (${selectLastUsedSlug(db, verified)}) as slug, recorded.id as activity from unchanged, recorded`)
  return started && { user: verified, session: { token }, slug: started.slug, activityId: Number(started.activity) }
}

/** Starts a session for a user whom the transaction authenticated by other means, and finds the account to go to. */
export async function startSession(tx: Tx, now: Date, user: User, { device, ...client }: Visitor) {
  const [session, [account], activityId] = await Promise.all([
    insertSession(tx, now, user.id, client),
    selectLastUsedSlug(tx, user),
    record(tx, 'signed_in', { userId: user.id }),
    forgiveUser(tx, user, device),
  ])
  return { user, session, slug: account?.slug ?? null, activityId }
}

/** Uses the clock of the process, which also decides when sessions expire. */
export async function insertSession(tx: Tx, now: Date, userId: number, { ipAddress, userAgent }: Client) {
  const token = newToken()
  await tx.insert(sessions).values({ token, userId, ipAddress, userAgent, createdAt: now, lastSeenAt: now })
  return { token }
}

const pageSize = 50

const newToken = () => randomBytes(32).toString('base64url')

/**
 * Ends one of the user's sessions, on behalf of the session `by`. Returns false if the user has no such session. Throws
 * SignedOut.
 */
export async function endSession(db: Database, userId: number, token: string, by: string) {
  if (!/^[\w-]+$/.test(token)) return false // Postgres rejects some strings, such as those with NUL
  const own = and(eq(sessions.token, token), eq(sessions.userId, userId))
  return db.transaction(async (tx) => {
    await holdSessionsOf(tx, userId)
    await holdSession(tx, by)
    const ended = await tx.delete(sessions).where(own).returning({ token: sessions.token })
    if (ended.length === 0) return false
    await Promise.all([recheckUser(tx, userId), record(tx, token === by ? 'signed_out' : 'session_ended', { userId })])
    return true
  })
}

type Wanted = { before?: string | undefined; except?: string | undefined }

/** A page of the user's sessions, newest first, plus one row that shows whether another page follows. */
export function selectSessions({ db, sessionPolicy }: App, userId: number, { before, except }: Wanted = {}) {
  const [createdAt, token] = before?.split('.') ?? []
  const position = sql`(${new Date(Number(createdAt ?? 0)).toISOString()}::timestamptz, ${token})`
  const earlier = token ? sql`(${sessions.createdAt}, ${sessions.token}) < ${position}` : undefined
  const others = except === undefined ? undefined : ne(sessions.token, except)
  return db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), sessionPolicy.alive(), earlier, others))
    .orderBy(desc(sessions.createdAt), desc(sessions.token))
    .limit(pageSize + 1)
}

/**
 * A page of the user's sessions and the position where the next one starts. The first page always has the session
 * `here`, however old it is, because people look for it before they end others. The other pages do not have it.
 */
export async function sessionsOf(app: App, userId: number, here: string, before?: string) {
  const rows = await selectSessions(app, userId, { before, except: before && here })
  const isLast = rows.length <= pageSize
  const page = rows.slice(0, pageSize)
  const isMissing = !before && !isLast && !page.some(({ token }) => token === here)
  const own = isMissing ? await app.db.select().from(sessions).where(eq(sessions.token, here)) : []
  const others = page.slice(0, pageSize - own.length)
  const last = isLast ? undefined : others.at(-1)
  return { sessions: [...others, ...own], next: last ? `${last.createdAt.getTime()}.${last.token}` : null }
}

export const everySessionOf = ({ db, sessionPolicy }: App, userId: number) =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), sessionPolicy.alive()))
    .orderBy(desc(sessions.createdAt), desc(sessions.token))

/**
 * Ends all sessions of the user except this one. Throws SignedOut, or Invalid if the password changed since the
 * challenge.
 */
export async function endOtherSessions(
  db: Database,
  { userId, token }: { userId: number; token: string },
  digest: string,
) {
  await db.transaction(async (tx) => {
    await holdUser(tx, userId, digest)
    await holdSession(tx, token)
    await Promise.all([
      tx.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.token, token))),
      recheckUser(tx, userId),
      record(tx, 'sessions_ended', { userId }),
    ])
  })
}

/** Ends all sessions of a user from outside, as an operator does. Returns how many there were. */
export function endEverySession(db: Database, userId: number) {
  return db.transaction(async (tx) => {
    await holdSessionsOf(tx, userId)
    const ended = await tx.delete(sessions).where(eq(sessions.userId, userId)).returning({ token: sessions.token })
    if (ended.length > 0) {
      await Promise.all([recheckUser(tx, userId), record(tx, 'sessions_ended', { userId, actorId: null })])
    }
    return ended.length
  })
}

/** Gives the session a new token and ends all others of its user. Throws SignedOut. */
export async function renewSession(tx: Tx, userId: number, token: string) {
  const own = and(eq(sessions.token, token), eq(sessions.userId, userId))
  const [renewed] = await tx.update(sessions).set({ token: newToken() }).where(own).returning({ token: sessions.token })
  if (!renewed) throw new SignedOut()
  await tx.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.token, renewed.token)))
  await recheckUser(tx, userId)
  return renewed
}

// Everything that ends several sessions of a user locks the user first. Otherwise two sessions that end each other
// could deadlock.
const holdSessionsOf = (tx: Tx, userId: number) =>
  tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
