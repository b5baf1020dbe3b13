import { eq, ne, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { emailChanges, sessions, users } from '../../drizzle/schema.ts'
import { type Database, isUniqueViolation } from '../../plugins/database/index.ts'
import { assertValid, Invalid } from '../../plugins/forms/index.ts'
import { normalizeEmail } from '../../plugins/mail/index.ts'
import { digestOf } from '../../plugins/security/digests.ts'
import { sessionTransaction } from '../../plugins/security/session-transaction.ts'
import { endFor } from '../accounts/endings.ts'
import { record, recordEach } from '../activity/index.ts'
import { emailMessages, emailTaken, nameMessages } from '../auth/checks.ts'
import { queueNotice, recordWithNotice } from '../auth/notices.ts'
import {
  lockUserAndConsumeProof,
  type Reauthenticated,
  type Session,
  withReauthentication,
} from '../auth/reauthentication/index.ts'
import { deleteSessions, renewToken } from '../auth/sessions.ts'
import { queueVerification } from '../auth/sign-up.ts'

/** The new name, or undefined to keep the old one. Throws Invalid. */
export function checkProfile({ name }: { name?: string | null }) {
  if (name === undefined) return undefined
  assertValid({ name: nameMessages(name ?? '') })
  return name ?? undefined
}

export const updateProfile = (db: Database, { userId, token }: Session, name: string) =>
  sessionTransaction(db, token, (tx) => {
    const changed = { userId, from: sql`changed.name`, to: name }
    // A single statement, so the record contains the old name.
    const statement = sql`
      changed as (select name from ${users} where id = ${userId} and name <> ${name}),
      updated as (update ${users} set name = ${name}, updated_at = now() where id = ${userId})`
    return recordEach(tx, 'profile_changed', changed, { with: statement, from: sql`changed` })
  })

/** The new address and its messages. If it is absent, the old one stays. */
export async function checkNewEmail(db: Database, user: { email: string }, input: { email?: string | null }) {
  const email = input.email === undefined ? user.email : normalizeEmail(input.email ?? '')
  return { email, errors: { email: email === user.email ? [] : await emailMessages(db, email) } }
}

/** Returns false if it is the same. Throws SignedOut, or Invalid if it was taken since or the proof is void by now. */
export function changeEmail(app: FastifyInstance, reauthenticated: Reauthenticated, email: string) {
  const { userId } = reauthenticated
  const change = withReauthentication(app.db, reauthenticated, async (tx, user) => {
    if (user.email === email) return false
    const emailRevision = sql`${users.emailRevision} + 1`
    // From now on it shows that they had verified another address, and when.
    const verifiedAt = user.verified ? (user.verifiedAt ?? user.createdAt) : user.verifiedAt
    const activityId = await record(tx, 'email_changed', { userId })
    await tx.update(users).set({ email, emailRevision, verified: false, verifiedAt }).where(eq(users.id, userId))
    await queueVerification(app, tx, { id: userId, email })
    if (user.verified) {
      const previousProved = user.provedEmail === user.email
      const previous = { previousEmail: user.email, previousVerifiedAt: verifiedAt, previousProved }
      const values = { userId, ...previous, createdAt: app.now() }
      const [change] = await tx.insert(emailChanges).values(values).returning()
      if (change) await queueNotice(app, tx, user, 'email_changed', { emailChangeId: change.id, activityId })
    }
    return true
  })
  return change.catch((error) => {
    throw isUniqueViolation(error, 'users_email_unique') ? new Invalid({ email: [emailTaken] }) : error
  })
}

/** Ends all other sessions and renews this one. Undefined without a new password. Throws SignedOut or Invalid. */
export async function changePassword(app: FastifyInstance, reauthenticated: Reauthenticated, password?: string | null) {
  const { reauthentication, ...session } = reauthenticated
  const { userId } = session
  const passwordDigest = password && (await digestOf(password))
  return app.db.transaction(async (tx) => {
    const user = await lockUserAndConsumeProof(tx, userId, reauthentication)
    if (!passwordDigest) return undefined
    await tx.update(users).set({ passwordDigest }).where(eq(users.id, userId))
    await recordWithNotice(app, tx, user, 'password_changed', {})
    const token = await renewToken(tx, session)
    await deleteSessions(tx, userId, ne(sessions.token, token))
    await endFor(app, tx, 'passwordChanged', { userId })
    return { user: { id: userId, passwordDigest }, token }
  })
}
