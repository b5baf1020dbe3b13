import { randomBytes } from 'node:crypto'
import { and, asc, eq, lt, type SQL } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { passkeys, type User, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { emit } from '../../plugins/domain-events.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import type { Auth } from '../../plugins/security/session.ts'
import { unlessSignedOut, whileSignedIn } from '../../plugins/security/while-signed-in.ts'
import { record } from '../activity/index.ts'
import { addFactor, beganWithPassword, withdrawFactors } from '../auth/methods.ts'
import { queueNotice } from '../auth/notices.ts'
import type { Session } from '../auth/requests.ts'
import { type Confirmed, whileConfirmed } from '../auth/requests.ts'
import { lockVerified, requireVerified } from '../auth/verification.ts'
import { spendChallenge } from './challenges.ts'
import type { Registration } from './relying-party.ts'

type App = Pick<FastifyInstance, 'db' | 'mail' | 'now'>

const maxPasskeys = 20

const ownedBy = (userId: number) => eq(passkeys.userId, userId)
const own = (userId: number, id: number) => and(eq(passkeys.id, id), ownedBy(userId))

export const passkeysOf = (db: Database | Tx, userId: number) =>
  db.select().from(passkeys).where(ownedBy(userId)).orderBy(asc(passkeys.id))

export const hasPasskey = async (db: Database, userId: number) => (await db.$count(passkeys, ownedBy(userId))) > 0

/** Whether to suggest a passkey: to someone who signed in with their password, has none, and may add one. */
export const isWorthOffering = async (db: Database, { user, session }: Auth) =>
  user.verified && !(await hasPasskey(db, user.id)) && beganWithPassword(db, session.token)

/**
 * What a new passkey needs: the user's id for authenticators (64 random bytes, created on first use), and the passkeys
 * that exist. Throws Invalid, or Refused without a verified address.
 */
export const prepareRegistration = (db: Database, confirmed: Confirmed) =>
  whileConfirmed(db, confirmed, async (tx, user) => {
    requireVerified(user)
    const handle = user.passkeyHandle ?? randomBytes(64).toString('base64url')
    const values = { passkeyHandle: handle, updatedAt: users.updatedAt }
    if (!user.passkeyHandle) await tx.update(users).set(values).where(eq(users.id, user.id))
    return { handle, passkeys: await passkeysOf(tx, user.id) }
  })

/**
 * Stores a new passkey and returns the session's new token, or `refused` if the challenge was answered before or the
 * passkey exists already, and `full` beyond the limit of 20. Throws Refused without a verified address.
 */
export function addPasskey(app: App, session: Session, { answered, passkey }: Registration, name: string) {
  const { userId } = session
  return unlessSignedOut(app.db, session.token, async (tx) => {
    const user = await lockVerified(tx, userId) // also so that concurrent additions cannot exceed the limit
    if ((await tx.$count(passkeys, ownedBy(userId))) >= maxPasskeys) return 'full'
    if (!(await spendChallenge(tx, answered))) return 'refused'
    const values = { userId, name, createdAt: app.now(), ...passkey }
    const added = await tx.insert(passkeys).values(values).onConflictDoNothing().returning()
    if (added.length === 0) return 'refused'
    const token = await addFactor(tx, session, 'passkey')
    const activityId = await record(tx, 'passkey_added', { userId, passkey_name: name })
    await queueNotice(app, tx, user, 'passkey_added', { userId, activityId })
    return { token }
  })
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
export const removePasskey = (app: App & Pick<FastifyInstance, 'signInMethods'>, confirmed: Confirmed, id: number) =>
  whileConfirmed(app.db, confirmed, async (tx, user) => {
    await app.signInMethods.requireAnother(tx, user.id)
    const removed = await deletePasskeys(app, tx, user, eq(passkeys.id, id))
    if (removed === 0) throw new NotFound()
  })

/** Removes those that were added before this moment, or all. */
export const removePasskeys = (app: App, tx: Tx, user: User, before?: Date) =>
  deletePasskeys(app, tx, user, before && lt(passkeys.createdAt, before))

async function deletePasskeys({ mail }: App, tx: Tx, user: User, concerned: SQL | undefined) {
  const { id: userId } = user
  const removed = await tx
    .delete(passkeys)
    .where(and(ownedBy(userId), concerned))
    .returning({ name: passkeys.name })
  if (removed.length === 0) return 0
  let activityId = 0 // one mail for all, with the facts of the last
  for (const { name } of removed) activityId = await record(tx, 'passkey_removed', { userId, passkey_name: name })
  await withdrawFactors(tx, userId)
  await emit(tx, 'access_changed', userId) // an account may require a second factor
  await queueNotice({ mail }, tx, user, 'passkey_removed', { userId, activityId })
  return removed.length
}
