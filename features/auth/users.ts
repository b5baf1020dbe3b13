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

/** What a person may sign up with; `onlyAs` is the one address that may. Throws Invalid with the messages of every field that breaks a rule. */
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
 * A new user with a personal account, who is signed in, and the account to go to: that of the invitation, if it was for this address. Its
 * link has then proved the address. Throws Invalid when somebody took the address since it was checked.
 */
export async function signUp({ db, mail, now }: App, newUser: NewUser, client: Client, invitation?: PendingInvitation) {
  const { name, email, password } = newUser
  const joins = invitation?.invitation.email === email ? invitation : undefined
  const passwordDigest = await digestOf(password) // slow on purpose, so before the transaction opens
  return db.transaction(async (tx) => {
    const values = { name, email, passwordDigest, verified: joins !== undefined }
    const [user] = await tx.insert(users).values(values).onConflictDoNothing().returning()
    if (!user) throw new Invalid({ email: [emailTaken] })
    // sent together, so that they take one round trip
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

/** Messages for a normalized address; whether it is taken is looked up only when it is one. */
export async function emailMessages(db: Database, email: string) {
  const messages = email.trim() === '' ? ["can't be blank"] : []
  if (!isAddress(email)) return [...messages, 'is invalid']
  const [owner] = await db.select({ id: users.id }).from(users).where(eq(users.email, email))
  return owner ? [emailTaken] : []
}

const longestName = 255
export const emailTaken = 'has already been taken'
