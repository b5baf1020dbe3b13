import { and, eq, isNotNull } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Account, accounts, type User } from '../../drizzle/schema.ts'
import { ssoConnections, ssoIdentities, ssoPasses } from '../../drizzle/tables/single-sign-on.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { text } from '../../plugins/languages/index.ts'
import { inTooMany } from '../accounts/accounts.ts'
import type { FirstFactor } from '../auth/factors.ts'
import { paths } from '../paths.ts'
import { requireVerifiedAddressAtDomainOf } from './addresses.ts'
import { type Joining, rejoin } from './identities.ts'
import { singleSignOnWords } from './words.ts'

type Pass = { identityId: number; connectionId: number }

/** The pass comes with the session, after a second step too. */
export const bySingleSignOn = ({ now }: Pick<FastifyInstance, 'now'>): FirstFactor<Pass> => ({
  id: 'sso',
  words: singleSignOnWords,
  holds: mayPass,
  started: (tx, _user, token, pass) => recordPass(tx, now(), token, pass),
  afterSignIn: rejoinOrTell,
})

/**
 * Whether an identity may pass a connection, for a sign-in: false if either is gone by now. Throws Rejected if the user
 * has no verified address at a domain of the workspace any more.
 */
async function mayPass(tx: Tx, user: User, { identityId, connectionId }: Pass) {
  // Whoever locks a connection is removing it: waiting for them with the user locked could deadlock.
  const [row] = await tx
    .select({ account: accounts })
    .from(ssoConnections)
    .innerJoin(accounts, eq(accounts.id, ssoConnections.accountId))
    .innerJoin(ssoIdentities, eq(ssoIdentities.accountId, accounts.id))
    .where(
      and(
        eq(ssoConnections.id, connectionId),
        eq(ssoIdentities.id, identityId),
        eq(ssoIdentities.userId, user.id),
        isNotNull(ssoIdentities.subject),
      ),
    )
    .for('key share', { of: ssoConnections, skipLocked: true })
  if (!row) return false
  await requireVerifiedAddressAtDomainOf(tx, row.account, user)
  return true
}

/** Records that a session passed the connection, and that its user did. It or its workspace must be locked. */
export async function recordPass(tx: Tx, now: Date, sessionToken: string, { identityId, connectionId }: Pass) {
  const values = { sessionToken, connectionId, passedAt: now }
  const target = [ssoPasses.sessionToken, ssoPasses.connectionId]
  await tx
    .insert(ssoPasses)
    .values(values)
    .onConflictDoUpdate({ target, set: { passedAt: now } })
  await tx.update(ssoIdentities).set({ lastUsedAt: now }).where(eq(ssoIdentities.id, identityId))
}

/** Once somebody who is known is signed in: who was removed is told so, or joins if they were invited since. */
async function rejoinOrTell(reply: FastifyReply, { id }: User, { connectionId }: Pass) {
  const { server: app } = reply
  const [row] = await app.db
    .select({ account: accounts })
    .from(ssoConnections)
    .innerJoin(accounts, eq(accounts.id, ssoConnections.accountId))
    .where(eq(ssoConnections.id, connectionId))
  if (!row) return undefined
  const joining = await rejoin(app, row.account, id)
  alertIfOut(reply, row.account, joining)
  return joining === 'joined' ? paths.account(row.account.slug).url : undefined
}

export function alertIfOut(reply: FastifyReply, { name }: Account, joining: Joining) {
  if (joining === 'full') return reply.alert(inTooMany)
  if (joining !== 'removed') return reply
  return reply.alert(text('You were removed from {name}. Ask an owner to invite you', { name }))
}
