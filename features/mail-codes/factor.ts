import { and, eq, inArray } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type User, users } from '../../drizzle/schema.ts'
import { mailCodes } from '../../drizzle/tables/mail-codes.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { text } from '../../plugins/languages/index.ts'
import type { Ending } from '../accounts/endings.ts'
import { type Device, isKnown } from '../auth/device.ts'
import type { FirstFactor } from '../auth/factors.ts'
import { recordWithNotice } from '../auth/notices.ts'
import { deleteSessions } from '../auth/sessions.ts'
import type { SignInMethod } from '../auth/sign-in-methods.ts'
import { lockConcerned, removeSignInMethods } from '../auth/sign-in-methods.ts'
import { consumeCode } from './codes.ts'
import { mailCodeWords } from './words.ts'

export type MailCode = { id: string; device: Device | undefined }

// Whoever signed in here before has the mailbox, too.
const isFirstProof = (user: User, { device }: MailCode) => user.provedEmail !== user.email && !isKnown(device, user)

export const byMailCode = (app: FastifyInstance): FirstFactor<MailCode> => ({
  id: 'email_code',
  words: mailCodeWords,
  advice: text(
    "If it wasn't, someone reads your mail. Change the password of your mailbox first, then end all other sessions.",
  ),
  lock: 'update', // since the code proves the address, and may remove whatever was added before
  async lockAccounts(tx, userId, proof) {
    const [user] = await tx.select().from(users).where(eq(users.id, userId))
    return user && isFirstProof(user, proof) ? lockConcerned(app, tx, userId) : []
  },
  async consume(tx, user, proof, accounts) {
    if (!(await consumeCode(app, tx, proof.id, user))) return false
    return isFirstProof(user, proof) ? endOtherWays(app, tx, user, accounts) : true
  },
  holds: () => true, // it was consumed
})

/**
 * Removes all other ways in of somebody who proves their address for the first time: they may be those of a stranger,
 * who signed up with it and waited. What somebody answers for who proved the domain of the address stays. Returns the
 * user, who must be locked, as they are then.
 */
async function endOtherWays(app: FastifyInstance, tx: Tx, user: User, locked: number[]) {
  const removed = await removeSignInMethods(app, tx, user, locked, { keepsVouched: true })
  await deleteSessions(tx, user.id)
  const voided = { passwordDigest: null, updatedAt: users.updatedAt }
  const [changed] = await tx.update(users).set(voided).where(eq(users.id, user.id)).returning()
  const ways = [...(user.passwordDigest ? ['password'] : []), ...removed]
  if (ways.length > 0) await recordWithNotice(app, tx, user, 'ways_in_removed', { ways })
  return changed ?? false
}

/** Nobody sets it up or removes it: whoever reads the mail of a verified address has it. */
export const mailCodeMethod = ({ demoEmail }: FastifyInstance['site']): SignInMethod => ({
  name: 'mail_codes',
  async find(db, userIds) {
    const isVerified = and(inArray(users.id, userIds), eq(users.verified, true))
    const rows = await db.select({ userId: users.id, email: users.email }).from(users).where(isVerified)
    return rows
      .filter(({ email }) => email !== demoEmail)
      .map(({ userId }) => ({ userId, words: [text('a code by mail to this address')], english: 'code by mail' }))
  },
})

export const mailCodeEnding: Ending = {
  name: 'mail-codes',
  on: {
    async userSuspended(tx: Tx, { userId }) {
      await tx.delete(mailCodes).where(eq(mailCodes.userId, userId))
    },
  },
}
