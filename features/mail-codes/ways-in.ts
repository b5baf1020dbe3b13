import { and, eq, inArray } from 'drizzle-orm'
import { users } from '../../drizzle/schema.ts'
import { mailCodes } from '../../drizzle/tables/mail-codes.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { text } from '../../plugins/languages/index.ts'
import type { Ending } from '../accounts/endings.ts'
import type { SignInMethod } from '../auth/sign-in-methods.ts'

/** Nobody sets it up or removes it: whoever reads the mail of a verified address has it. */
export const mailCodeMethod = (demoEmail: string | undefined): SignInMethod => ({
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
