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

/** Validates the new address. If it is absent, the old one stays. Throws Invalid. */
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
 * Changes the address, sends a verification mail to the new one and a notice to the old one. Returns false if it is the
 * same. Throws SignedOut, or Invalid if the password changed or the address was taken since the check.
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
