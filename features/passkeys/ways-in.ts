import { and, asc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type AddedFactor, type User, users } from '../../drizzle/schema.ts'
import { passkeys } from '../../drizzle/tables/passkeys.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { text } from '../../plugins/languages/index.ts'
import { nameInMail } from '../../plugins/mail/names.ts'
import type { StrongProof } from '../accounts/requirements.ts'
import { recordWithNotice } from '../auth/notices.ts'
import { withdrawFactors } from '../auth/sessions.ts'
import type { SignInMethod } from '../auth/sign-in-methods.ts'
import type { Accepted } from './props.ts'
import { rpIdOf } from './webauthn/relying-party.ts'

export const passkeysOf = (db: Database | Tx, userId: number) =>
  db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.id))

export const hasPasskey = async (db: Database, userId: number) =>
  (await db.$count(passkeys, eq(passkeys.userId, userId))) > 0

/** Two factors by itself, so it replaces what the session began with. */
export const factorsOfPasskey = (twoFactorsSince: Date): AddedFactor => ({
  firstFactor: 'passkey',
  provider: null,
  secondFactor: null,
  twoFactorsSince,
})

/** Removes the user's passkeys, or those that match. Returns how many there were. */
export async function removePasskeys(app: FastifyInstance, tx: Tx, user: User, which?: SQL) {
  const { id: userId } = user
  const ofUser = and(eq(passkeys.userId, userId), which)
  const removed = await tx.delete(passkeys).where(ofUser).returning({ passkey_name: passkeys.name })
  if (removed.length > 0) await withdrawFactors(app, tx, userId)
  await recordWithNotice(app, tx, user, 'passkey_removed', ...removed)
  return removed.length
}

export const passkeyMethod = (app: FastifyInstance): SignInMethod => ({
  name: 'passkeys',
  title: text('passkeys'),
  isEnough: true,
  insteadOfPassword: text('Set a password or add a passkey first'),
  async find(db, userIds) {
    const rows = await db.select().from(passkeys).where(inArray(passkeys.userId, userIds)).orderBy(asc(passkeys.id))
    const ofUser = Map.groupBy(rows, ({ userId }) => userId)
    return rows.map(({ id, userId, name }) => {
      const count = ofUser.get(userId)?.length
      return { userId, id, words: [inWords(name)], english: count === 1 ? '1 passkey' : `${count} passkeys` }
    })
  },
  remove: async (tx, user, { before }) =>
    (await removePasskeys(app, tx, user, before && lt(passkeys.createdAt, before))) > 0,
})

function inWords(passkey: string) {
  const name = nameInMail(passkey)
  return name ? text('the passkey “{name}”', { name }) : text('a passkey')
}

/** What browsers may offer for the user, who never had a passkey without a handle. */
export async function acceptedBy(app: FastifyInstance, userId: number): Promise<Accepted> {
  const [user] = await app.db.select({ handle: users.passkeyHandle }).from(users).where(eq(users.id, userId))
  if (!user?.handle) return {}
  const credential_ids = (await passkeysOf(app.db, userId)).map(({ credentialId }) => credentialId)
  return { rp_id: rpIdOf(app), user_id: user.handle, credential_ids }
}

export const passkeyProof: StrongProof = {
  name: 'passkeys',
  setUps: sql`select passkey.created_at as set_up_at from ${passkeys} passkey where passkey.user_id = person.id`,
}
