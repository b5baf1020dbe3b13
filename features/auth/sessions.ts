import { randomBytes } from 'node:crypto'
import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { sessions, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { emit } from '../../plugins/domain-events.ts'
import type { Client } from '../../plugins/http/client.ts'
import type { Device } from '../../plugins/security/device.ts'
import { lockUser, type Reauthentication } from '../../plugins/security/reauthentication.ts'
import type { Method } from '../../plugins/security/session-method.ts'
import { lockSession, SignedOut } from '../../plugins/security/while-signed-in.ts'
import { selectLastUsedSlug } from '../accounts/accounts.ts'
import { record } from '../activity/index.ts'
import { forgiveUser } from './guesses.ts'

type App = Pick<FastifyInstance, 'db' | 'sessionPolicy'>
type User = typeof users.$inferSelect
/** The client, and the device that its cookie names. */
export type Visitor = Client & { device: Device | undefined }
/** Starts a session for a user whom the transaction authenticated by other means, and finds the account to go to. */
export async function startSession(tx: Tx, now: Date, user: User, { device, ...client }: Visitor, method: Method) {
  const [session, [account], activityId] = await Promise.all([
    insertSession(tx, now, user.id, client, method),
    selectLastUsedSlug(tx, user),
    record(tx, 'signed_in', { userId: user.id, method }),
    forgiveUser(tx, user, device),
  ])
  return { user, session, slug: account?.slug ?? null, activityId }
}

/** Uses the clock of the process, which also decides when sessions expire. */
export async function insertSession(
  tx: Tx,
  now: Date,
  userId: number,
  { ipAddress, userAgent }: Client,
  method: Method,
) {
  const token = newToken()
  await tx.insert(sessions).values({ token, userId, ipAddress, userAgent, method, createdAt: now, lastSeenAt: now })
  return { token }
}

const pageSize = 50

export const newToken = () => randomBytes(32).toString('base64url')

/**
 * Ends one of the user's sessions, on behalf of the session `by`. Returns false if the user has no such session. Throws
 * SignedOut.
 */
export async function endSession(db: Database, userId: number, token: string, by: string) {
  if (!/^[\w-]+$/.test(token)) return false // Postgres rejects some strings, such as those with NUL
  const own = and(eq(sessions.token, token), eq(sessions.userId, userId))
  return db.transaction(async (tx) => {
    await lockSessionsOf(tx, userId)
    await lockSession(tx, by)
    const ended = await tx.delete(sessions).where(own).returning({ token: sessions.token })
    if (ended.length === 0) return false
    await Promise.all([
      emit(tx, 'access_changed', userId),
      record(tx, token === by ? 'signed_out' : 'session_ended', { userId }),
    ])
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
 * Ends all sessions of the user except this one. Throws SignedOut, or Invalid if the reauthentication is void by now.
 */
export async function endOtherSessions(
  db: Database,
  { userId, token }: { userId: number; token: string },
  reauthentication: Reauthentication,
) {
  await db.transaction(async (tx) => {
    await lockUser(tx, userId, reauthentication)
    await lockSession(tx, token)
    await Promise.all([
      tx.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.token, token))),
      emit(tx, 'access_changed', userId),
      record(tx, 'sessions_ended', { userId }),
    ])
  })
}

/** Ends all sessions of a user from outside, as an operator does. Returns how many there were. */
export function endEverySession(db: Database, userId: number) {
  return db.transaction(async (tx) => {
    await lockSessionsOf(tx, userId)
    const ended = await tx.delete(sessions).where(eq(sessions.userId, userId)).returning({ token: sessions.token })
    if (ended.length > 0) {
      await Promise.all([emit(tx, 'access_changed', userId), record(tx, 'sessions_ended', { userId, actorId: null })])
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
  await emit(tx, 'access_changed', userId)
  return renewed
}

// Everything that ends several sessions of a user locks the user first. Otherwise two sessions that end each other
// could deadlock.
const lockSessionsOf = (tx: Tx, userId: number) =>
  tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
