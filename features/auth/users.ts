import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import { type Database, isStorable } from '../../plugins/database/index.ts'
import { isAddress, normalizeEmail } from '../../plugins/forms/email-address.ts'
import { assertValid, Invalid } from '../../plugins/forms/index.ts'
import type { Client } from '../../plugins/http/client.ts'
import { digestOf } from '../../plugins/security/digests.ts'
import { createPersonalAccount } from '../accounts/accounts.ts'
import { acceptInvitation, type PendingInvitation } from '../accounts/invitations.ts'
import { record } from '../activity/index.ts'
import { confirmationMessages, passwordMessages } from './password-rules.ts'
import { insertSession } from './sessions.ts'
import { queueVerification } from './verification.ts'

export type NewUser = { name: string; email: string; password: string }

type Input = NewUser & { passwordConfirmation: string; onlyAs?: string | undefined }

/**
 * Validates a sign-up. If `onlyAs` is given, only that address is accepted. Throws Invalid with the messages of all
 * fields.
 */
export async function checkNewUser(app: Pick<FastifyInstance, 'db' | 'isTooCommon'>, input: Input): Promise<NewUser> {
  const { name, password, passwordConfirmation, onlyAs } = input
  const email = normalizeEmail(input.email)
  assertValid({
    name: nameMessages(name),
    email: onlyAs && onlyAs !== email ? [`must be ${onlyAs}, the address invited`] : await emailMessages(app.db, email),
    password: passwordMessages(app, password, { name, email }),
    password_confirmation: confirmationMessages(password, passwordConfirmation),
  })
  return { name, email, password }
}

type App = Pick<FastifyInstance, 'db' | 'mail' | 'now'>

/**
 * Creates a user with a personal account and a session, and returns the account to go to. If the invitation was sent to
 * this address, that is the inviting account, and the address counts as verified. Throws Invalid if the address was
 * taken since the check.
 */
export async function signUp({ db, mail, now }: App, newUser: NewUser, client: Client, invitation?: PendingInvitation) {
  const { name, email, password } = newUser
  const joins = invitation?.invitation.email === email ? invitation : undefined
  const passwordDigest = await digestOf(password) // hashing is slow, so it happens before the transaction
  return db.transaction(async (tx) => {
    const values = { name, email, passwordDigest, verified: joins !== undefined }
    const [user] = await tx.insert(users).values(values).onConflictDoNothing().returning()
    if (!user) throw new Invalid({ email: [emailTaken] })
    // pipelined into one round trip
    const [personal, session] = await Promise.all([
      createPersonalAccount(tx, user),
      insertSession(tx, now(), user.id, client),
      record(tx, 'signed_up', { userId: user.id }),
      user.verified || queueVerification({ mail }, tx, user),
    ])
    const account = joins ? await acceptInvitation(tx, now(), joins.token, user) : personal
    return { user, account, session }
  })
}

export function nameMessages(name: string) {
  if (name.trim() === '') return ["can't be blank"]
  if (!isStorable(name)) return ['is invalid']
  return [...name].length > longestName ? [`is too long (maximum is ${longestName} characters)`] : []
}

/** Messages for a normalized address. Queries the database only if the address is well-formed. */
export async function emailMessages(db: Database, email: string) {
  const messages = email.trim() === '' ? ["can't be blank"] : []
  if (!isAddress(email)) return [...messages, 'is invalid']
  const [owner] = await db.select({ id: users.id }).from(users).where(eq(users.email, email))
  return owner ? [emailTaken] : []
}

const longestName = 255
export const emailTaken = 'has already been taken'
