import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { assertValid } from '../../plugins/forms/index.ts'
import { lengthOf, nameMessages as messagesForName } from '../../plugins/forms/parameters.ts'
import { type Text, text } from '../../plugins/languages/index.ts'
import { isEmailAddress, normalizeEmail } from '../../plugins/mail/index.ts'
import { normalizePassword } from '../../plugins/security/digests.ts'
import { minPasswordLength } from '../bounds.ts'
import { unverifiedOwnersOf } from './addresses.ts'

const maxNameLength = 255
const maxBytes = 72
const tooShort = text('is too short (minimum is {min} characters)', { min: minPasswordLength })
export const emailTaken = text('has already been taken')

export type UserWithPassword = { name: string; email: string; password: string; language?: string }

type Addresses = {
  /** The only address that may sign up. */
  invitedEmail?: string | undefined
  /** That of the invitation whose link they opened. */
  verifiedEmail?: string | undefined
}

type Input = UserWithPassword & Addresses & { password_confirmation: string }

export async function checkNewUser(app: FastifyInstance, input: Input): Promise<UserWithPassword> {
  const { name, password } = input
  const email = normalizeEmail(input.email)
  assertValid({
    name: nameMessages(name),
    email: await emailMessages(app.db, email, input),
    ...newPasswordMessages(app, input, { name, email }),
  })
  return { name, email, password }
}

export const nameMessages = (name: string) => messagesForName(name, maxNameLength)

/** Messages for a normalized address. To whoever opened a link for it, it is taken only if a user verified it. */
export async function emailMessages(
  db: Database,
  email: string,
  { invitedEmail = email, verifiedEmail }: Addresses = {},
) {
  if (invitedEmail !== email) return [text('must be {email}, the address invited', { email: invitedEmail })]
  const messages = email.trim() === '' ? [text("can't be blank")] : []
  if (!isEmailAddress(email)) return [...messages, text('is invalid')]
  const isFree =
    email === verifiedEmail
      ? (await unverifiedOwnersOf(db, email)) !== undefined
      : (await db.$count(users, eq(users.email, email))) === 0
  return isFree ? [] : [emailTaken]
}

type Typed = { password?: string | null; password_confirmation?: string | null }
type NamedPerson = { name: string; email: string }

export function newPasswordMessages(
  app: FastifyInstance,
  { password, password_confirmation }: Typed,
  person: NamedPerson,
) {
  const isConfirmed = normalizePassword(password_confirmation ?? '') === normalizePassword(password ?? '')
  return {
    password: passwordMessages(app, password ?? '', person),
    password_confirmation: isConfirmed ? [] : [text("doesn't match Password")],
  }
}

function passwordMessages(app: FastifyInstance, password: string, person: NamedPerson) {
  if (password.trim() === '') return [text("can't be blank")]
  const messages: Text[] = []
  if (lengthOf(password) < minPasswordLength) messages.push(tooShort)
  if (Buffer.byteLength(password) > maxBytes) messages.push(text('is too long'))
  if (messages.length === 0 && app.isTooCommon(password, person)) messages.push(text('is too common'))
  return messages
}
