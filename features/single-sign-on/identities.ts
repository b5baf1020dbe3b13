import { and, eq, gt, isNull } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type Account, accounts, invitations, memberships, type User, users } from '../../drizzle/schema.ts'
import { ssoIdentities } from '../../drizzle/tables/single-sign-on.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import type { ProviderProfile } from '../../plugins/openid/client.ts'
import { InvalidResponse } from '../../plugins/openid/failures.ts'
import { addMember, lockAndCheckMembershipLimit } from '../accounts/accounts.ts'
import { weekMs } from '../accounts/received-invitations.ts'
import { recordWithNotice } from '../auth/notices.ts'
import { type Reauthenticated, withReauthentication } from '../auth/reauthentication/index.ts'
import { forgetRemoval, rememberRemoval, removalOf } from './removed-members.ts'
import { removeSsoIdentities } from './ways-in.ts'

/** Whom the provider of a workspace means by this subject. */
export async function recognize(db: Database | Tx, accountId: number, subject: string) {
  const isIt = and(eq(ssoIdentities.accountId, accountId), eq(ssoIdentities.subject, subject))
  return (await db.select().from(ssoIdentities).where(isIt))[0]
}

/** Whether somebody joined by single sign-on, or why not. `unchanged`: they are a member, or were one and left. */
export type Joining = 'joined' | 'full' | 'removed' | 'unchanged'

/** The workspace and the user must be locked, and the subject be nobody's. */
export async function connect(app: FastifyInstance, tx: Tx, account: Account, user: User, profile: ProviderProfile) {
  const { subject, email } = profile
  const owner = { accountId: account.id, userId: user.id }
  const values = { subject, email, createdAt: app.now(), lastUsedAt: null }
  const [created] = await tx
    .insert(ssoIdentities)
    .values({ ...owner, ...values })
    .onConflictDoNothing()
    .returning()
  const isOfUser = and(eq(ssoIdentities.accountId, account.id), eq(ssoIdentities.userId, user.id))
  const hadOne = and(isOfUser, isNull(ssoIdentities.subject))
  const [identity] = created ? [created] : await tx.update(ssoIdentities).set(values).where(hadOne).returning()
  if (!identity) throw new InvalidResponse('changed_meanwhile')
  await recordWithNotice(app, tx, user, 'sso_connected', { account_name: account.name })
  const joining = await join(app, tx, account, user, { isFirst: created !== undefined })
  return { id: identity.id, joining }
}

/**
 * With the role of an invitation to their address, which is accepted, or as a member. Whoever had an identity before
 * was a member, and whoever is one keeps their role. Who was removed needs an invitation that was sent since. The
 * account and the user must be locked.
 */
export async function join(
  app: FastifyInstance,
  tx: Tx,
  account: Account,
  user: User,
  { isFirst }: { isFirst: boolean },
): Promise<Joining> {
  const member = { accountId: account.id, userId: user.id }
  const isIn = and(eq(memberships.accountId, account.id), eq(memberships.userId, user.id))
  const isThere = (await tx.$count(memberships, isIn)) > 0
  const removedAt = isThere ? undefined : await removalOf(app, tx, member)
  if (!removedAt && !isFirst) return 'unchanged'
  if (!isThere && !(await lockAndCheckMembershipLimit(tx, user.id, account.id))) return 'full'
  const now = app.now()
  const open = and(
    eq(invitations.accountId, account.id),
    eq(invitations.email, user.email),
    isNull(invitations.acceptedAt),
    gt(invitations.expiresAt, now),
    removedAt && gt(invitations.expiresAt, new Date(removedAt.getTime() + weekMs)),
  )
  const accepted = { acceptedAt: now, accepterId: user.id }
  const [invitation] = await tx.update(invitations).set(accepted).where(open).returning()
  if (removedAt && !invitation) {
    await rememberRemoval(app, tx, member, removedAt)
    return 'removed'
  }
  if (isThere && !invitation) return 'joined'
  await forgetRemoval(app, tx, member)
  await addMember(tx, member, invitation?.role ?? 'member', 'sso')
  return 'joined'
}

/** After a sign-in of somebody who is known: whether they were removed, and invited since. */
export async function rejoin(app: FastifyInstance, { id }: Account, userId: number): Promise<Joining> {
  if (await isMember(app.db, id, userId)) return 'unchanged'
  return app.db.transaction(async (tx) => {
    const [account] = await tx.select().from(accounts).where(eq(accounts.id, id)).for('no key update')
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('no key update')
    return account && user ? join(app, tx, account, user, { isFirst: false }) : 'unchanged'
  })
}

export const isMember = async (db: Database, accountId: number, userId: number) =>
  (await db.$count(memberships, and(eq(memberships.accountId, accountId), eq(memberships.userId, userId)))) > 0

/** Throws NotFound, SignedOut or Invalid. */
export const disconnect = (app: FastifyInstance, reauthenticated: Reauthenticated, id: number) =>
  withReauthentication(app.db, reauthenticated, async (tx, user) => {
    if ((await removeSsoIdentities(app, tx, user, eq(ssoIdentities.id, id))) === 0) throw new NotFound()
  })
