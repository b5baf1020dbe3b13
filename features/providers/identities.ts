import { and, eq, gte } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { sessions, type User, users } from '../../drizzle/schema.ts'
import { identities } from '../../drizzle/tables/providers.ts'
import { type Database, isLate, type Tx } from '../../plugins/database/index.ts'
import { assertValid } from '../../plugins/forms/index.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import type { Client } from '../../plugins/http/request.ts'
import { normalizeEmail } from '../../plugins/mail/index.ts'
import type { ProviderProfile } from '../../plugins/openid/client.ts'
import { SignedOut, sessionTransaction } from '../../plugins/security/session-transaction.ts'
import type { PendingInvitation } from '../accounts/received-invitations.ts'
import { emailMessages, nameMessages } from '../auth/checks.ts'
import { recordWithNotice } from '../auth/notices.ts'
import {
  lockVerified,
  type Reauthenticated,
  type Session,
  withReauthentication,
} from '../auth/reauthentication/index.ts'
import { requireAnotherWay } from '../auth/sign-in-methods.ts'
import { createUser } from '../auth/sign-up.ts'
import { consumePending, type PendingIdentity, type SingleUse } from './pending-identity.ts'
import { isIdentityOf, removeIdentities } from './ways-in.ts'

const maxIdentities = 10

const isIdentity = ({ issuer, subject }: Pick<ProviderProfile, 'issuer' | 'subject'>) =>
  and(eq(identities.issuer, issuer), eq(identities.subject, subject))

export const recognize = async (db: Database | Tx, profile: ProviderProfile) =>
  (await db.select().from(identities).where(isIdentity(profile)))[0]

async function insertIdentity(tx: Tx, now: Date, userId: number, profile: ProviderProfile, lastUsedAt: Date | null) {
  const { provider, issuer, subject, email, name } = profile
  const values = { userId, provider: provider.id, issuer, subject, email, name, createdAt: now, lastUsedAt }
  return (await tx.insert(identities).values(values).onConflictDoNothing()).rowCount === 1
}

/**
 * `consumed` if the pending identity was used before. Throws Refused, or SignedOut in a session that began before it.
 */
export function connect(
  app: FastifyInstance,
  { userId, token }: Session,
  profile: ProviderProfile,
  pending?: SingleUse,
) {
  return sessionTransaction(app.db, token, async (tx) => {
    const user = await lockVerified(tx, userId)
    if (pending) {
      // Reject sessions that began before the person came from the provider, which may be someone else's.
      const isLater = and(eq(sessions.token, token), gte(sessions.createdAt, new Date(pending.at)))
      if ((await tx.$count(sessions, isLater)) === 0) throw new SignedOut()
      if (!(await consumePending(tx, pending))) return 'consumed'
    }
    if (profile.proved && profile.email === user.email) {
      await tx.update(users).set({ provedEmail: user.email, updatedAt: users.updatedAt }).where(eq(users.id, userId))
    }
    const identity = await recognize(tx, profile)
    if (identity) return identity.userId === userId ? 'own' : 'taken'
    if ((await tx.$count(identities, eq(identities.userId, userId))) >= maxIdentities) return 'full'
    if (!(await insertIdentity(tx, app.now(), userId, profile, null))) return 'taken'
    const { id, name } = profile.provider
    await recordWithNotice(app, tx, user, 'identity_connected', { provider: id, provider_name: name })
    return 'connected'
  })
}

export async function removableIdentity(app: FastifyInstance, db: Database | Tx, userId: number, identityId: number) {
  const [identity] = await db.select().from(identities).where(isIdentityOf(userId, identityId))
  if (!identity) throw new NotFound()
  await requireAnotherWay(app, db, userId, { method: 'providers', id: identityId })
  return identity
}

export const disconnect = (app: FastifyInstance, reauthenticated: Reauthenticated, id: number) =>
  withReauthentication(app.db, reauthenticated, async (tx, user) => {
    await removableIdentity(app, tx, user.id, id)
    await removeIdentities(app, tx, user, eq(identities.id, id))
  })

class AlreadyConsumed extends Error {}

type Input = { name: string; email: string; invitedEmail: string | undefined }

/** Of an address that the provider vouches for, the route knows that no user verified it. */
export async function checkNewUser(db: Database, profile: ProviderProfile, input: Input) {
  const { name, invitedEmail } = input
  const vouched = profile.proved ? profile.email : null
  // An invitation is not for anyone who types its address.
  const email = vouched ?? (invitedEmail ? '' : normalizeEmail(input.email))
  const isFree = vouched !== null && (invitedEmail ?? vouched) === vouched
  assertValid({ name: nameMessages(name), email: isFree ? [] : await emailMessages(db, email, { invitedEmail }) })
  return { name, email }
}

/**
 * Undefined if the identity was connected or used meanwhile. Throws Invalid, or Denied by
 * `onlyIfReplacing`.
 */
export function signUpWith(
  app: FastifyInstance,
  profile: PendingIdentity,
  newUser: { name: string; email: string; language: string; onlyIfReplacing: boolean },
  client: Client,
  invitation?: PendingInvitation,
) {
  const { proved: isVerified, provider } = profile
  const factors = { firstFactor: 'provider', provider: provider.id } as const
  const user = { ...newUser, passwordDigest: null, isVerified, invitation, factors }
  async function onCreated(tx: Tx, { id }: User, now: Date) {
    const isFirst = (await consumePending(tx, profile)) && (await insertIdentity(tx, now, id, profile, now))
    if (!isFirst) throw new AlreadyConsumed()
  }
  return createUser(app, { ...user, onCreated }, client).catch(async (error) => {
    // They may have signed up in another tab, and then their address is taken, too.
    if (error instanceof AlreadyConsumed || (!isLate(error) && (await recognize(app.db, profile)))) return undefined
    throw error
  })
}
