import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { pictures, users } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { Invalid } from '../../plugins/forms/index.ts'
import { text } from '../../plugins/languages/index.ts'
import { forgetPresence, recheckUser } from '../../plugins/live/index.ts'
import type { PendingInvitation } from '../accounts/received-invitations.ts'
import { ownedBy, removeOthers } from '../accounts/user-deletion.ts'
import { lockHolders, makeWay, replaceableIn } from './addresses.ts'
import { deleteSessions } from './sessions.ts'
import { removeSignInMethods } from './sign-in-methods.ts'
import { ChangedMeanwhile } from './user-deletion.ts'

export const emailTaken = text('has already been taken')

type Claimant = { name: string; email: string; passwordDigest: string | null; language?: string }
type Locked = { accounts: number[]; invitationId?: number | undefined }

/** Frees an address for someone who proved it. Returns the user whose place they took, if one signed up with it. */
export async function claimAddress(app: FastifyInstance, tx: Tx, claimant: Claimant, followed?: PendingInvitation) {
  const { id: invitationId, accountId } = followed?.invitation ?? {}
  const found = await lockHolders(tx, claimant.email, { accountId })
  if (!found) throw new Invalid({ email: [emailTaken] })
  const { holders, accounts } = found
  const replaceable = replaceableIn(holders)
  if (replaceable) return claimUser(app, tx, replaceable.id, claimant, { accounts, invitationId })
  await makeWay(app, tx, found)
}

/**
 * Puts the claimant in the place of a user who never verified an address, and who is locked, as are these accounts. The
 * data stays, but the people they invited and their sign-in methods are removed. `invitationId` is the invitation that is being
 * accepted. Throws ChangedMeanwhile if they own more accounts by now.
 */
async function claimUser(app: FastifyInstance, tx: Tx, userId: number, claimant: Claimant, locked: Locked) {
  const owned = await ownedBy(tx, userId)
  const [before] = await tx.select().from(users).where(eq(users.id, userId))
  if (!before || !owned.every((id) => locked.accounts.includes(id))) throw new ChangedMeanwhile()

  await removeOthers(tx, owned, { ownerId: userId, except: locked.invitationId ?? 0 })
  await removeSignInMethods(app, tx, before)
  await deleteSessions(tx, userId)
  await app.jobs.forget(tx, [before.email])
  await forgetPresence(tx, userId)
  await recheckUser(tx, userId)
  await tx.delete(pictures).where(eq(pictures.userId, userId))
  const { name, email, passwordDigest, language } = claimant
  const [claimed] = await tx
    .update(users)
    .set({
      ...{ name, passwordDigest, language, picture: null, passkeyHandle: null },
      ...{ verified: true, verifiedAt: app.now(), provedEmail: email },
    })
    .where(eq(users.id, userId))
    .returning()
  return claimed
}
