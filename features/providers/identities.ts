import { and, asc, eq, gte, lt } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { identities, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import type { Offer } from '../../plugins/security/contract.ts'
import { lockUser, type Reauthentication } from '../../plugins/security/reauthentication.ts'
import type { Period } from '../../plugins/security/ways-in.ts'
import { whileSignedIn } from '../../plugins/security/while-signed-in.ts'
import { record } from '../activity/index.ts'
import { queueNotice } from '../auth/notices.ts'
import type { Session } from '../auth/requests.ts'
import { requireVerified } from '../auth/verification.ts'
import type { Arrived } from './clients/client.ts'

type App = Pick<FastifyInstance, 'db' | 'mail' | 'now'>
export type Known = Arrived & { provider: Offer }

type NameOf = (provider: string) => string

const most = 10

export const identitiesOf = (db: Database | Tx, userId: number) =>
  db.select().from(identities).where(eq(identities.userId, userId)).orderBy(asc(identities.id))

const is = ({ issuer, subject }: Pick<Arrived, 'issuer' | 'subject'>) =>
  and(eq(identities.issuer, issuer), eq(identities.subject, subject))

export const isKnown = async (db: Database, identity: Arrived) => (await db.$count(identities, is(identity))) > 0

/** The user of an identity. Remembers what the provider says of the person now. */
export async function recognize({ db, now }: App, { email, name, ...identity }: Arrived) {
  const seen = { email, name, lastUsedAt: now() }
  const [found] = await db.update(identities).set(seen).where(is(identity)).returning({ userId: identities.userId })
  if (!found) return undefined
  const [user] = await db.select().from(users).where(eq(users.id, found.userId))
  return user
}

/** Writes down whose identity it is. Returns false if it is somebody's already. */
export async function insertIdentity(tx: Tx, now: Date, userId: number, known: Known, lastUsedAt: Date | null) {
  const { provider, issuer, subject, email, name } = known
  const values = { userId, provider: provider.id, issuer, subject, email, name, createdAt: now, lastUsedAt }
  const inserted = await tx.insert(identities).values(values).onConflictDoNothing().returning({ id: identities.id })
  return inserted.length > 0
}

/** Whether this is the user of the identity, within the transaction that signs them in. */
export async function isStillOf(tx: Tx, userId: number, identity: Arrived) {
  const [found] = await tx.select({ userId: identities.userId }).from(identities).where(is(identity)).for('share')
  return found?.userId === userId
}

/**
 * Connects an identity to the user. `own` if it is connected to them already, and `full` beyond the limit of 10. Throws
 * Refused without a verified address, or as `check` does with the user locked.
 */
export function connect(
  { db, mail, now }: App,
  { userId, token }: Session,
  known: Known,
  check: (tx: Tx) => Promise<void> = async () => {},
) {
  return whileSignedIn(db, token, async (tx) => {
    const [locked] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
    const user = requireVerified(locked)
    await check(tx)
    const [present] = await tx.select({ userId: identities.userId }).from(identities).where(is(known))
    if (present) return present.userId === userId ? 'own' : 'taken'
    if ((await tx.$count(identities, eq(identities.userId, userId))) >= most) return 'full'
    if (!(await insertIdentity(tx, now(), userId, known, null))) return 'taken'
    const { id, name } = known.provider
    const activityId = await record(tx, 'identity_connected', { userId, provider: id, provider_name: name })
    await queueNotice({ mail }, tx, user, 'identity_connected', { userId, activityId, provider: id })
    return 'connected'
  })
}

/** One of the user's identities. Throws NotFound. */
export async function identityOf(db: Database | Tx, userId: number, id: number) {
  const own = and(eq(identities.id, id), eq(identities.userId, userId))
  const [identity] = await db.select().from(identities).where(own)
  if (!identity) throw new NotFound()
  return identity
}

/** Disconnects one of the user's identities. Throws NotFound, Invalid, or Refused if it is the last way in. */
export function disconnect(
  { db, mail, waysIn }: Pick<FastifyInstance, 'db' | 'mail' | 'waysIn'>,
  { userId, token, reauthentication }: Session & { reauthentication: Reauthentication },
  id: number,
  nameOf: NameOf,
) {
  return whileSignedIn(db, token, async (tx) => {
    const user = await lockUser(tx, userId, reauthentication)
    const { provider } = await identityOf(tx, userId, id)
    await waysIn.requireAnother(tx, userId, isOffered(waysIn, provider))
    await tx.delete(identities).where(eq(identities.id, id))
    const about = { userId, provider, provider_name: nameOf(provider) }
    const activityId = await record(tx, 'identity_disconnected', about)
    await queueNotice({ mail }, tx, user, 'identity_disconnected', { userId, activityId, provider })
  })
}

/** Whether people can sign in with the provider now. It may have been configured once. */
export const isOffered = ({ offers }: Pick<FastifyInstance['waysIn'], 'offers'>, provider: string) =>
  offers.some(({ id }) => id === provider)

/** Removes those that were added in this period. */
export async function removeIdentities(
  mail: App['mail'],
  nameOf: NameOf,
  tx: Tx,
  user: typeof users.$inferSelect,
  added: Period,
) {
  const { since, before } = added
  const concerned = and(since && gte(identities.createdAt, since), before && lt(identities.createdAt, before))
  const removed = await tx
    .delete(identities)
    .where(and(eq(identities.userId, user.id), concerned))
    .returning({ provider: identities.provider })
  for (const { provider } of removed) {
    const about = { userId: user.id, provider, provider_name: nameOf(provider) }
    const activityId = await record(tx, 'identity_disconnected', about)
    await queueNotice({ mail }, tx, user, 'identity_disconnected', { userId: user.id, activityId, provider })
  }
}
