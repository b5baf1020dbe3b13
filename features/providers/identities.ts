import { and, asc, eq, gte, type SQL } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { identities, sessions, type User, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { emit } from '../../plugins/domain-events.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import type { Offer } from '../../plugins/security/contract.ts'
import { isIn, type Period } from '../../plugins/security/sign-in-methods.ts'
import { SignedOut, whileSignedIn } from '../../plugins/security/while-signed-in.ts'
import { record } from '../activity/index.ts'
import { queueNotice } from '../auth/notices.ts'
import { type Confirmed, type Session, type Visitor, whileConfirmed } from '../auth/requests.ts'
import { startSession } from '../auth/sessions.ts'
import { lockVerified } from '../auth/verification.ts'
import type { ProviderProfile } from './clients/client.ts'

type App = Pick<FastifyInstance, 'db' | 'mail' | 'now' | 'signInMethods'>
export type Known = ProviderProfile & { provider: Offer }

const maxIdentities = 10

export const identitiesOf = (db: Database | Tx, userId: number) =>
  db.select().from(identities).where(eq(identities.userId, userId)).orderBy(asc(identities.id))

const is = ({ issuer, subject }: Pick<ProviderProfile, 'issuer' | 'subject'>) =>
  and(eq(identities.issuer, issuer), eq(identities.subject, subject))

export const isKnown = async (db: Database, identity: ProviderProfile) =>
  (await db.$count(identities, is(identity))) > 0

/** The user of an identity. Remembers what the provider says of the person now. */
export async function recognize({ db, now }: App, { email, name, ...identity }: ProviderProfile) {
  const seen = { email, name, lastUsedAt: now() }
  const [found] = await db.update(identities).set(seen).where(is(identity)).returning({ userId: identities.userId })
  if (!found) return undefined
  const [user] = await db.select().from(users).where(eq(users.id, found.userId))
  return user
}

/**
 * Starts a session for the user of the identity. Undefined if it was disconnected or a second factor was added since
 * the user was read: the locks make such a change wait, or make this wait and see the change.
 */
export function signInWithIdentity({ db, now }: App, userId: number, known: Known, visitor: Visitor) {
  return db.transaction(async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('share')
    const [identity] = await tx.select().from(identities).where(is(known)).for('share')
    if (!user || user.secondFactorAt || identity?.userId !== userId) return undefined
    return startSession(tx, now(), user, visitor, `provider:${known.provider.id}`)
  })
}

/** Writes down whose identity it is. Returns false if it is someone's already. */
export async function insertIdentity(tx: Tx, now: Date, userId: number, known: Known, lastUsedAt: Date | null) {
  const { provider, issuer, subject, email, name } = known
  const values = { userId, provider: provider.id, issuer, subject, email, name, createdAt: now, lastUsedAt }
  const inserted = await tx.insert(identities).values(values).onConflictDoNothing().returning({ id: identities.id })
  return inserted.length > 0
}

/**
 * Connects an identity to the user. `own` if it is connected to them already, and `full` beyond the limit of 10. Throws
 * Refused without a verified address, and SignedOut if the session began before the person arrived.
 */
export function connect({ db, mail, now }: App, { userId, token }: Session, known: Known, arrivedAt = 0) {
  return whileSignedIn(db, token, async (tx) => {
    const user = await lockVerified(tx, userId)
    // Nobody else's session is extended by whoever comes to their screen.
    const isLater = and(eq(sessions.token, token), gte(sessions.createdAt, new Date(arrivedAt)))
    if ((await tx.$count(sessions, isLater)) === 0) throw new SignedOut()

    const [present] = await tx.select().from(identities).where(is(known))
    if (present) return present.userId === userId ? 'own' : 'taken'
    if ((await tx.$count(identities, eq(identities.userId, userId))) >= maxIdentities) return 'full'
    if (!(await insertIdentity(tx, now(), userId, known, null))) return 'taken'
    const { id, name } = known.provider
    const activityId = await record(tx, 'identity_connected', { userId, provider: id, provider_name: name })
    await queueNotice({ mail }, tx, user, 'identity_connected', { userId, activityId, provider: id })
    return 'connected'
  })
}

/** One of the user's identities, to be disconnected. Throws NotFound, or Refused if it is the last way in. */
export async function removableIdentity({ signInMethods }: App, db: Database | Tx, userId: number, id: number) {
  const own = and(eq(identities.id, id), eq(identities.userId, userId))
  const [identity] = await db.select().from(identities).where(own)
  if (!identity) throw new NotFound()
  await signInMethods.requireAnother(db, userId, isOffered(signInMethods, identity.provider))
  return identity
}

/** Disconnects one of the user's identities. Throws NotFound, Invalid, or Refused if it is the last way in. */
export const disconnect = (app: App, confirmed: Confirmed, id: number) =>
  whileConfirmed(app.db, confirmed, async (tx, user) => {
    await removableIdentity(app, tx, user.id, id)
    await deleteIdentities(app, tx, user, eq(identities.id, id))
  })

/** Disconnects those that were added in this period. */
export const removeIdentities = (app: App, tx: Tx, user: User, added: Period) =>
  deleteIdentities(app, tx, user, isIn(added, identities.createdAt))

async function deleteIdentities({ mail, signInMethods }: App, tx: Tx, user: User, concerned: SQL | undefined) {
  const { id: userId } = user
  const own = and(eq(identities.userId, userId), concerned)
  const removed = await tx.delete(identities).where(own).returning({ provider: identities.provider })
  if (removed.length > 0) await emit(tx, 'sign_in_method_removed', userId)
  for (const { provider } of removed) {
    const details = { userId, provider, provider_name: nameOf(signInMethods, provider) }
    const activityId = await record(tx, 'identity_disconnected', details)
    await queueNotice({ mail }, tx, user, 'identity_disconnected', { userId, activityId, provider })
  }
}

type Offers = Pick<FastifyInstance['signInMethods'], 'offers'>
const offerOf = ({ offers }: Offers, provider: string) => offers.find(({ id }) => id === provider)

/** Whether people can sign in with the provider now. It may have been configured once. */
export const isOffered = (signInMethods: Offers, provider: string) => offerOf(signInMethods, provider) !== undefined

export const nameOf = (signInMethods: Offers, provider: string) =>
  offerOf(signInMethods, provider)?.name ?? formerNames[provider] ?? 'Single sign-on'

/** What providers are called that are not configured any more, but that people are still connected to. */
const formerNames: Record<string, string> = {
  google: 'Google',
  github: 'GitHub',
  gitlab: 'GitLab',
  microsoft: 'Microsoft',
}
