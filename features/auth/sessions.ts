import { randomBytes } from 'node:crypto'
import { and, desc, eq, ne, not, type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type AddedFactor, activities, type SessionFactors, sessions, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import type { Client } from '../../plugins/http/request.ts'
import { recheckUser } from '../../plugins/live/broadcast.ts'
import { lockSession, SignedOut } from '../../plugins/security/session-transaction.ts'
import { endFor } from '../accounts/endings.ts'
import { hasSecondFactor, hasTwoFactors } from '../accounts/requirements.ts'
import { record } from '../activity/index.ts'
import { type Reauthenticated, type Session, withReauthentication } from './reauthentication/index.ts'

/** Uses the clock of the process, which also decides when sessions expire. */
export async function insertSession(tx: Tx, now: Date, userId: number, client: Client, factors: SessionFactors) {
  const token = newToken()
  await tx.insert(sessions).values({ token, userId, ...client, ...factors, createdAt: now, lastSeenAt: now })
  return { token, ...factors }
}

const newToken = () => randomBytes(32).toString('base64url')

export const selectSessions = ({ db, sessionPolicy }: FastifyInstance, userId: number, which?: SQL) =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), sessionPolicy.isActive(), which))
    .orderBy(desc(sessions.createdAt), desc(sessions.token))

export async function sessionsOf(app: FastifyInstance, userId: number, before?: string) {
  const [createdAt, token] = before?.split('.') ?? []
  const position = sql`(${new Date(Number(createdAt ?? 0)).toISOString()}::timestamptz, ${token})`
  const earlier = before ? sql`(${sessions.createdAt}, ${sessions.token}) < ${position}` : undefined
  const rows = await selectSessions(app, userId, earlier).limit(pageSize + 1)
  const page = rows.slice(0, pageSize)
  const last = rows.length > pageSize ? page.at(-1) : undefined
  return { page, next: last ? `${last.createdAt.getTime()}.${last.token}` : null }
}

const pageSize = 50

/**
 * The user's sessions and the activities that recorded their beginning. A token changes with each second step, so that
 * none is recorded: it is the sign-in of the same client at about that time.
 */
export function sessionsWithSignIns({ db, sessionPolicy }: FastifyInstance, userId: number, which: SQL) {
  const apart = sql`${activities.createdAt} - ${sessions.createdAt}`
  const began = and(
    eq(activities.userId, sessions.userId),
    eq(activities.type, 'signed_in'),
    sql`${activities.ipAddress} is not distinct from ${sessions.ipAddress}`,
    sql`${activities.userAgent} is not distinct from ${sessions.userAgent}`,
    sql`${apart} between interval '-1 minute' and interval '1 minute'`,
  )
  return db
    .selectDistinctOn([sessions.token], { id: sessions.token, activity_id: activities.id })
    .from(sessions)
    .innerJoin(activities, began)
    .where(and(eq(sessions.userId, userId), sessionPolicy.isActive(), which))
    .orderBy(sessions.token, sql`abs(extract(epoch from ${apart}))`)
}

/** Ends one of the user's sessions, on behalf of the session `by`. False if there is no such. Throws SignedOut. */
export async function endSession({ db, sessionPolicy }: FastifyInstance, userId: number, token: string, by: string) {
  if (!/^[\w-]+$/.test(token)) return false // Postgres rejects some strings, such as those with NUL
  return db.transaction(async (tx) => {
    await lockForSessions(tx, userId)
    await lockSession(tx, by)
    if ((await deleteSessions(tx, userId, and(eq(sessions.token, token), sessionPolicy.isActive()))) === 0) return false
    await record(tx, token === by ? 'signed_out' : 'session_ended', { userId })
    return true
  })
}

/** Ends all sessions of the user except this one. Throws SignedOut, or Invalid if the proof is void by now. */
export const endOtherSessions = (db: Database, reauthenticated: Reauthenticated) =>
  withReauthentication(db, reauthenticated, async (tx, { id: userId }) => {
    await deleteSessions(tx, userId, ne(sessions.token, reauthenticated.token))
    await record(tx, 'sessions_ended', { userId })
  })

/** Ends all sessions of a user for an operator. Returns how many there were. */
export async function endEverySession(tx: Tx, userId: number) {
  await lockForSessions(tx, userId)
  const ended = await deleteSessions(tx, userId)
  if (ended > 0) await record(tx, 'sessions_ended', { userId, actorId: null })
  return ended
}

/** Gives the session a new token, so that a copy of the old cookie is worthless. Throws SignedOut. */
export async function renewToken(tx: Tx, { userId, token }: Session) {
  const isSession = and(eq(sessions.token, token), eq(sessions.userId, userId))
  const renewal = tx.update(sessions).set({ token: newToken() }).where(isSession)
  const [renewed] = await renewal.returning({ token: sessions.token })
  if (!renewed) throw new SignedOut()
  await recheckUser(tx, userId)
  return renewed.token
}

/** Adds a factor to the session, unless it began with two. Returns its new token. Throws SignedOut. */
export async function addFactor(tx: Tx, session: Session, added: AddedFactor) {
  const lacksOne = and(eq(sessions.token, session.token), not(hasTwoFactors))
  await tx.update(sessions).set(added).where(lacksOne)
  return renewToken(tx, session)
}

/** The same for a second step. In a session that began with two factors, this one counts from now on. */
export async function proveFactor(tx: Tx, session: Session, added: AddedFactor) {
  const hasTwo = and(eq(sessions.token, session.token), hasTwoFactors)
  await tx.update(sessions).set({ twoFactorsSince: added.twoFactorsSince }).where(hasTwo)
  return addFactor(tx, session, added)
}

/**
 * When the last second factor is removed, nothing counts as begun with two any more, or a factor added later would
 * count for sessions that never proved it. Streams are checked, since an account may require a factor. The user must be
 * locked.
 */
export async function withdrawFactors(app: FastifyInstance, tx: Tx, userId: number) {
  const { rows } = await tx.execute<{ has: boolean | null }>(
    sql`select ${hasSecondFactor(app, sql`${userId}::bigint`)} as has`, // passkeys are factors, too
  )
  if (!rows[0]?.has) {
    const firstFactor = sql`case ${sessions.firstFactor} when 'passkey' then 'password' else ${sessions.firstFactor} end`
    await tx
      .update(sessions)
      .set({ firstFactor, secondFactor: null, twoFactorsSince: null })
      .where(and(eq(sessions.userId, userId), hasTwoFactors))
    await endFor(app, tx, 'factorsWithdrawn', { userId })
  }
  await recheckUser(tx, userId)
}

/** Ends sessions of a user whom the transaction has locked. Returns how many there were. */
export async function deleteSessions(tx: Tx, userId: number, which?: SQL) {
  const { rowCount } = await tx.delete(sessions).where(and(eq(sessions.userId, userId), which))
  await recheckUser(tx, userId)
  return rowCount ?? 0
}

// Everything that ends several sessions of a user locks the user first. Otherwise two sessions that end each other
// could deadlock.
const lockForSessions = (tx: Tx, userId: number) =>
  tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
