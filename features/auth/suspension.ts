import { and, eq, isNotNull } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import { StaleRead, type Tx } from '../../plugins/database/index.ts'
import { text } from '../../plugins/languages/index.ts'
import { forgetPresence } from '../../plugins/live/presence.ts'
import { lockAccounts } from '../accounts/accounts.ts'
import { joinedAccounts } from '../accounts/claims.ts'
import { withdrawSince } from '../accounts/invitations.ts'
import { paths } from '../paths.ts'
import { defineNotice, recordWithNotice } from './notices.ts'
import { endPendingSignIns } from './pending-sign-in.ts'
import { deleteSessions } from './sessions.ts'
import { accountsToLock } from './user-deletion.ts'

export const maxReasonLength = 200
const ever = new Date(0)

/**
 * Keeps a user out until `unsuspend`, and ends everything through which they act or invite. False if they are suspended
 * already, which changes only the reason. Throws StaleRead.
 */
export async function suspend(app: FastifyInstance, tx: Tx, userId: number, reason: string | null) {
  const locked = await lockAccounts(tx, await accountsToLock(tx, userId))
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('no key update')
  const joined = await joinedAccounts(tx, userId)
  if (!joined.every(({ id }) => locked.includes(id))) throw new StaleRead()
  const suspension = { suspendedAt: user?.suspendedAt ?? app.now(), suspensionReason: reason }
  await tx
    .update(users)
    .set({ ...suspension, updatedAt: users.updatedAt })
    .where(eq(users.id, userId))
  if (!user || user.suspendedAt) return false

  await deleteSessions(tx, userId)
  await forgetPresence(tx, userId)
  await endPendingSignIns(app, tx, userId)
  const ownedIds = joined.filter(({ isOwned }) => isOwned).map(({ id }) => id)
  await withdrawSince(app, tx, 'userSuspended', { userId, since: ever, ownedIds })
  await recordWithNotice(app, tx, user, 'suspended', { actorId: null })
  return true
}

/** Returns false if the user was not suspended. */
export async function unsuspend(app: FastifyInstance, tx: Tx, userId: number) {
  const lifted = { suspendedAt: null, suspensionReason: null, updatedAt: users.updatedAt }
  const isSuspended = and(eq(users.id, userId), isNotNull(users.suspendedAt))
  const [user] = await tx.update(users).set(lifted).where(isSuspended).returning()
  if (!user) return false
  await recordWithNotice(app, tx, user, 'unsuspended', { actorId: null })
  return true
}

/** What people are told when they are kept out, and when they are let in again. */
export function defineSuspensionMails(app: FastifyInstance) {
  const { appName } = app.site
  const home = { label: text('Open {appName}', { appName }), url: paths.home().url }
  const signIn = { label: text('Sign in'), url: paths.signInPage().url }

  defineNotice(app, 'suspended', () => ({
    subject: text('Your account was suspended'),
    preheader: text('You are signed out everywhere, until it is active again.'),
    paragraphs: [
      text('An operator of {appName} suspended your account. You are signed out everywhere.', { appName }),
      text('Your API tokens and the invitations that you sent have ended. What you own stays.'),
    ],
    advice: [text('If you think that this is a mistake, write to whoever runs {appName}.', { appName })],
    action: home,
  }))
  defineNotice(app, 'unsuspended', () => ({
    subject: text('Your account is active again'),
    preheader: text('You can sign in as before.'),
    paragraphs: [text('An operator of {appName} lifted the suspension of your account.', { appName })],
    advice: [text('You can sign in as before. Create API tokens and invitations anew where you need them.')],
    action: signIn,
  }))
}
