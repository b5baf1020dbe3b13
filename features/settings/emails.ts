import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { emailChanges, users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { normalizeEmail } from '../../plugins/mail/email-address.ts'
import { record } from '../activity/index.ts'
import { queueNotice } from '../auth/notices.ts'
import { emailMessages, queueVerification, refuseTaken } from '../auth/sign-up.ts'
import { type Confirmed, whileConfirmed } from '../reauthentication/index.ts'

/** The new address, and what is wrong with it. If it is absent, the old one stays. */
export async function checkNewEmail(db: Database, user: { email: string }, input: { email?: string | null }) {
  const email = input.email === undefined ? user.email : normalizeEmail(input.email ?? '')
  return { email, errors: { email: email === user.email ? [] : await emailMessages(db, email) } }
}

/**
 * Changes the address, sends a verification mail to the new one and a notice to the old one. Returns false if it is the
 * same. Throws SignedOut, or Invalid if the address was taken since the check or the reauthentication is void by now.
 */
export function changeEmail(app: FastifyInstance, confirmed: Confirmed, email: string) {
  const { userId } = confirmed
  const change = whileConfirmed(app.db, confirmed, async (tx, user) => {
    if (user.email === email) return false
    const emailRevision = sql`${users.emailRevision} + 1`
    // From now on it tells that they had verified another address, and when.
    const verifiedAt = user.verified ? (user.verifiedAt ?? user.createdAt) : user.verifiedAt
    const [activityId] = await Promise.all([
      record(tx, 'email_changed', { userId }),
      tx.update(users).set({ email, emailRevision, verified: false, verifiedAt }).where(eq(users.id, userId)),
    ])
    await queueVerification(app, tx, { id: userId, email })
    if (user.verified) {
      const values = { userId, previousEmail: user.email, previousVerifiedAt: verifiedAt }
      const [change] = await tx.insert(emailChanges).values(values).returning()
      if (change) await queueNotice(app, tx, user, 'email_changed', { emailChangeId: change.id, activityId })
    }
    return true
  })
  return change.catch(refuseTaken)
}
