import { randomBytes } from 'node:crypto'
import Bowser from 'bowser'
import { and, asc, count, eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { passkeys, users } from '../../drizzle/schema.ts'
import { type Database, isStorable, type Tx } from '../../plugins/database/index.ts'
import { assertValid } from '../../plugins/forms/index.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { recheckUser } from '../../plugins/live/index.ts'
import { holdUser } from '../../plugins/security/challenges.ts'
import { whileSignedIn } from '../../plugins/security/while-signed-in.ts'
import { record } from '../activity/index.ts'
import type { Session } from '../auth/requests.ts'
import { spendChallenge } from './challenges.ts'
import type { Registration } from './relying-party.ts'

type App = Pick<FastifyInstance, 'db' | 'mail'>

const longestName = 60
const most = 20

export const passkeysOf = (db: Database, userId: number) =>
  db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.id))

/** The user's id for authenticators: 64 random bytes, created on first use. */
export async function handleOf(db: Database, userId: number) {
  const passkeyHandle = sql`coalesce(${users.passkeyHandle}, ${randomBytes(64).toString('base64url')})`
  const values = { passkeyHandle, updatedAt: users.updatedAt }
  const [user] = await db
    .update(users)
    .set(values)
    .where(eq(users.id, userId))
    .returning({ handle: users.passkeyHandle })
  return user?.handle ?? ''
}

/** Validates the name of a passkey. Throws Invalid. */
export function checkPasskeyName(name: string) {
  const messages = name.trim() === '' ? ["can't be blank"] : []
  if ([...name].length > longestName) messages.push(`is too long (maximum is ${longestName} characters)`)
  if (!isStorable(name)) messages.push('is invalid')
  assertValid({ name: messages })
  return name
}

/** The name of a new passkey: the browser that created it, and the date. */
export function defaultName(userAgent: string, now: Date) {
  const { browser, os } = userAgent ? Bowser.parse(userAgent) : { browser: {}, os: {} }
  const device = [browser.name, os.name].filter(Boolean).join(' on ') || 'Unknown browser'
  return `${device}, ${day.format(now)}`.slice(0, longestName)
}

const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' })

/**
 * Stores a new passkey. Returns `refused` if the challenge was answered before or the passkey exists already, and
 * `full` beyond the limit of 20.
 */
export function addPasskey(
  { db, mail }: App,
  { userId, token }: Session,
  { answered, passkey }: Registration,
  name: string,
) {
  return whileSignedIn(db, token, async (tx) => {
    const user = await hold(tx, userId)
    const [row] = await tx.select({ own: count() }).from(passkeys).where(eq(passkeys.userId, userId))
    if ((row?.own ?? 0) >= most) return 'full'
    if (!(await spendChallenge(tx, answered))) return 'refused'
    const added = await tx
      .insert(passkeys)
      .values({ userId, name, ...passkey })
      .onConflictDoNothing()
      .returning()
    if (!user || added.length === 0) return 'refused'
    await record(tx, 'passkey_added', { userId, passkey_name: name })
    if (user.verified) await mail.queue(tx, 'passkey_added', { userId })
    return 'added'
  })
}

/** Locks the user, so concurrent additions cannot exceed the limit. */
async function hold(tx: Tx, userId: number) {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  return user
}

/** Throws NotFound if the user has no such passkey. */
export async function renamePasskey(db: Database, userId: number, id: number, name: string) {
  const renamed = await db.update(passkeys).set({ name }).where(own(userId, id)).returning({ id: passkeys.id })
  if (renamed.length === 0) throw new NotFound()
}

/** Removes a passkey. Throws NotFound, or Invalid if the challenge fails. */
export function removePasskey({ db, mail }: App, { userId, token, digest }: Session & { digest: string }, id: number) {
  return whileSignedIn(db, token, async (tx) => {
    const user = await holdUser(tx, userId, digest)
    const [removed] = await tx.delete(passkeys).where(own(userId, id)).returning({ name: passkeys.name })
    if (!removed) throw new NotFound()
    await record(tx, 'passkey_removed', { userId, passkey_name: removed.name })
    await recheckUser(tx, userId) // an account may require a second factor
    if (user.verified) await mail.queue(tx, 'passkey_removed', { userId })
  })
}

const own = (userId: number, id: number) => and(eq(passkeys.id, id), eq(passkeys.userId, userId))
