import { randomBytes } from 'node:crypto'
import { and, asc, count, eq, gte, lt } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { passkeys, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { emit } from '../../plugins/domain-events.ts'
import { checkName } from '../../plugins/forms/names.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { text } from '../../plugins/languages/index.ts'
import { lockUser, type Reauthentication } from '../../plugins/security/reauthentication.ts'
import type { Auth } from '../../plugins/security/session.ts'
import type { Period } from '../../plugins/security/ways-in.ts'
import { whileSignedIn } from '../../plugins/security/while-signed-in.ts'
import { record } from '../activity/index.ts'
import { addFactor, beganWithPassword, withdrawFactors } from '../auth/methods.ts'
import { deviceIn, queueNotice } from '../auth/notices.ts'
import type { Session } from '../auth/requests.ts'
import { requireVerified } from '../auth/verification.ts'
import { spendChallenge } from './challenges.ts'
import type { Registration } from './relying-party.ts'

type App = Pick<FastifyInstance, 'db' | 'mail' | 'now'>

export const maxNameLength = 60
const maxPasskeys = 20

export const passkeysOf = (db: Database | Tx, userId: number) =>
  db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.id))

/** Whether there is anything to ask for in place of the password. */
/** Whether to suggest a passkey: to somebody who signed in with their password, has none, and may add one. */
export async function isWorthOffering(db: Database, { user, session }: Auth) {
  if (!user.verified || (await hasPasskey(db, user.id))) return false
  return beganWithPassword(db, session.token)
}

export const hasPasskey = async (db: Database, userId: number) => {
  const [one] = await db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, userId)).limit(1)
  return one !== undefined
}

type Confirmed = Session & { reauthentication: Reauthentication }

/**
 * What a new passkey needs: the user's id for authenticators (64 random bytes, created on first use), and the passkeys
 * that exist. Throws Invalid, or Refused without a verified address.
 */
export function prepareRegistration(db: Database, { userId, token, reauthentication }: Confirmed) {
  return whileSignedIn(db, token, async (tx) => {
    const user = requireVerified(await lockUser(tx, userId, reauthentication))
    const handle = user.passkeyHandle ?? randomBytes(64).toString('base64url')
    const values = { passkeyHandle: handle, updatedAt: users.updatedAt }
    if (!user.passkeyHandle) await tx.update(users).set(values).where(eq(users.id, userId))
    return { handle, passkeys: await passkeysOf(tx, userId) }
  })
}

/** Validates the name of a passkey. Throws Invalid. */
export const checkPasskeyName = (name: string) => checkName(name, maxNameLength)

/** The name of a new passkey: the browser that created it, and the date. */
export const defaultName = (userAgent: string, now: Date) =>
  text('{device}, {day}', { device: deviceIn(userAgent), day: { at: now, precision: 'day' } })

/**
 * Stores a new passkey. Returns `refused` if the challenge was answered before or the passkey exists already, and
 * `full` beyond the limit of 20. Throws Refused without a verified address.
 */
export function addPasskey(
  { db, mail, now }: App,
  { userId, token }: Session,
  { answered, passkey }: Registration,
  name: string,
) {
  return whileSignedIn(db, token, async (tx) => {
    const user = requireVerified(await lockOwner(tx, userId))
    const [row] = await tx.select({ own: count() }).from(passkeys).where(eq(passkeys.userId, userId))
    if ((row?.own ?? 0) >= maxPasskeys) return 'full'
    if (!(await spendChallenge(tx, answered))) return 'refused'
    const added = await tx
      .insert(passkeys)
      .values({ userId, name, createdAt: now(), ...passkey })
      .onConflictDoNothing()
      .returning()
    if (added.length === 0) return 'refused'
    await addFactor(tx, { userId, token }, 'passkey')
    const activityId = await record(tx, 'passkey_added', { userId, passkey_name: name })
    await queueNotice({ mail }, tx, user, 'passkey_added', { userId, activityId })
    return 'added'
  })
}

/** Locks the user, so concurrent additions cannot exceed the limit. */
async function lockOwner(tx: Tx, userId: number) {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  return user
}

/** Throws SignedOut, or NotFound if the user has no such passkey. */
export function renamePasskey(db: Database, { userId, token }: Session, id: number, name: string) {
  return whileSignedIn(db, token, async (tx) => {
    const [passkey] = await tx.select({ name: passkeys.name }).from(passkeys).where(own(userId, id)).for('update')
    if (!passkey) throw new NotFound()
    if (passkey.name === name) return
    await Promise.all([
      tx.update(passkeys).set({ name }).where(own(userId, id)),
      record(tx, 'passkey_renamed', { userId, from: passkey.name, to: name }),
    ])
  })
}

/** Removes a passkey. Throws NotFound, Invalid, or Refused if it is the last way in. */
export function removePasskey(
  { db, mail, waysIn }: Pick<FastifyInstance, 'db' | 'mail' | 'waysIn'>,
  { userId, token, reauthentication }: Confirmed,
  id: number,
) {
  return whileSignedIn(db, token, async (tx) => {
    const user = await lockUser(tx, userId, reauthentication)
    await waysIn.requireAnother(tx, userId)
    const [removed] = await tx.delete(passkeys).where(own(userId, id)).returning({ name: passkeys.name })
    if (!removed) throw new NotFound()
    const activityId = await record(tx, 'passkey_removed', { userId, passkey_name: removed.name })
    await withdrawFactors(tx, userId)
    await emit(tx, 'access_changed', userId) // an account may require a second factor
    await queueNotice({ mail }, tx, user, 'passkey_removed', { userId, activityId })
  })
}

/** Removes those that were added in this period. */
export async function removePasskeys(mail: App['mail'], tx: Tx, user: typeof users.$inferSelect, added: Period) {
  const { since, before } = added
  const concerned = and(since && gte(passkeys.createdAt, since), before && lt(passkeys.createdAt, before))
  const removed = await tx
    .delete(passkeys)
    .where(and(eq(passkeys.userId, user.id), concerned))
    .returning({ name: passkeys.name })
  let activityId = 0 // one mail for all, with the facts of the last
  for (const { name } of removed) {
    activityId = await record(tx, 'passkey_removed', { userId: user.id, passkey_name: name })
  }
  if (removed.length === 0) return
  await withdrawFactors(tx, user.id)
  await emit(tx, 'access_changed', user.id)
  await queueNotice({ mail }, tx, user, 'passkey_removed', { userId: user.id, activityId })
}

const own = (userId: number, id: number) => and(eq(passkeys.id, id), eq(passkeys.userId, userId))
