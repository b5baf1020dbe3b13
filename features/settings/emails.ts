import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { emailChanges, users } from '../../drizzle/schema.ts'
import { type Database, isUniqueViolation } from '../../plugins/database/index.ts'
import { normalizeEmail } from '../../plugins/forms/email-address.ts'
import { assertValid, Invalid } from '../../plugins/forms/index.ts'
import { holdUser, wrongChallenge } from '../../plugins/security/challenges.ts'
import { whileSignedIn } from '../../plugins/security/while-signed-in.ts'
import { record } from '../activity/index.ts'
import type { Session } from '../auth/requests.ts'
import { emailMessages, emailTaken } from '../auth/users.ts'
import { queueVerification } from '../auth/verification.ts'

type Input = { email?: string | null; digest: string | undefined }
type Change = { email: string; digest: string }

/** An address that the user may have, and the digest of the verified challenge. An absent address keeps the old one. Throws Invalid. */
export async function checkEmailChange(
  db: Database,
  user: { id: number; email: string },
  input: Input,
): Promise<Change> {
  const { digest } = input
  const email = input.email === undefined ? user.email : normalizeEmail(input.email ?? '')
  const messages = email === user.email ? [] : await emailMessages(db, email)
  assertValid({ email: messages, password_challenge: digest ? [] : [wrongChallenge] })
  return { email, digest: digest ?? '' }
}

/**
 * Changes the address, which then wants to be verified, and tells the old one. False when it is the same; throws Invalid when the password
 * was changed, or the address taken, since they were checked, or SignedOut.
 */
export async function changeEmail(
  app: Pick<FastifyInstance, 'db' | 'mail'>,
  session: Session,
  { email, digest }: Change,
) {
  const { userId } = session
  const change = whileSignedIn(app.db, session.token, async (tx) => {
    const user = await holdUser(tx, userId, digest)
    if (user.email === email) return false
    const emailRevision = sql`${users.emailRevision} + 1`
    await Promise.all([
      record(tx, 'email_changed', { userId }),
      tx.update(users).set({ email, emailRevision, verified: false }).where(eq(users.id, userId)),
    ])
    await queueVerification(app, tx, { id: userId, email })
    if (user.verified) {
      const [change] = await tx.insert(emailChanges).values({ userId, previousEmail: user.email }).returning()
      if (change) await app.mail.queue(tx, 'email_changed', { emailChangeId: change.id })
    }
    return true
  })
  return change.catch((error) => {
    throw isUniqueViolation(error) ? new Invalid({ email: [emailTaken] }) : error
  })
}
