import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { pictures, users } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { forgetPresence, recheckUser } from '../../plugins/live/index.ts'
import { ownedBy, removeOthers } from '../accounts/claims.ts'
import { deleteSessions } from './sessions.ts'
import { removeSignInMethods } from './sign-in-methods.ts'
import { ChangedMeanwhile } from './user-deletion.ts'

type Claimant = { name: string; email: string; passwordDigest: string | null; language?: string }
type Locked = { accounts: number[]; invitationId?: number | undefined }

/**
 * Puts someone who proved the address in the place of the user who has it and never proved any. That user is locked,
 * and so are these accounts. Their data stays, but nobody they let in, and nothing that signs them in. `invitationId` is
 * the invitation that is being accepted. Throws ChangedMeanwhile if they own more accounts by now.
 */
export async function claimUser(
  app: FastifyInstance,
  tx: Tx,
  userId: number,
  claimant: Claimant,
  { accounts, invitationId }: Locked,
) {
  const owned = await ownedBy(tx, userId)
  const [before] = await tx.select().from(users).where(eq(users.id, userId))
  if (!before || !owned.every((id) => accounts.includes(id))) throw new ChangedMeanwhile()

  await removeOthers(tx, owned, { ownerId: userId, except: invitationId ?? noInvitation })
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

const noInvitation = 0 // ids begin at 1
