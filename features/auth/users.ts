import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import type { Client } from '../../plugins/client.ts'
import type { Database } from '../../plugins/database.ts'
import { Invalid } from '../../plugins/forms.ts'
import type { Errors } from '../../plugins/inertia/pages.ts'
import { createPersonalAccount } from '../accounts/accounts.ts'
import { confirmationMessages, digestOf, passwordMessages } from './passwords.ts'
import { insertSession } from './sessions.ts'

export type NewUser = { name: string; email: string; password: string }

/** What a person may sign up with. Throws Invalid with the messages of every field that breaks a rule. */
export async function checkNewUser(db: Database, input: NewUser & { passwordConfirmation: string }): Promise<NewUser> {
  const { name, password, passwordConfirmation } = input
  const email = normalizeEmail(input.email)
  refuse({
    name: nameMessages(name),
    email: await emailMessages(db, email),
    password: passwordMessages(password),
    password_confirmation: confirmationMessages(password, passwordConfirmation),
  })
  return { name, email, password }
}

/** A new user with a personal account, who is signed in. Throws Invalid when somebody took the address since it was checked. */
export async function signUp(
  { db, mail }: Pick<FastifyInstance, 'db' | 'mail'>,
  { name, email, password }: NewUser,
  client: Client,
) {
  const passwordDigest = await digestOf(password) // slow on purpose, so before the transaction opens
  return db.transaction(async (tx) => {
    const [user] = await tx.insert(users).values({ name, email, passwordDigest }).onConflictDoNothing().returning()
    if (!user) throw new Invalid({ email: [emailTaken] })
    const account = await createPersonalAccount(tx, user)
    const session = await insertSession(tx, user.id, client)
    await mail.queue(tx, 'email_verification', { userId: user.id })
    return { user, account, session }
  })
}

/** Throws Invalid with the fields that have messages, if any has. */
export function refuse(messages: Errors) {
  const errors = Object.fromEntries(Object.entries(messages).filter(([, list]) => list.length > 0))
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
}

export function nameMessages(name: string) {
  if (name.trim() === '') return ["can't be blank"]
  if (!isStorable(name)) return ['is invalid']
  return [...name].length > longestName ? [`is too long (maximum is ${longestName} characters)`] : []
}

/** As stored and compared: without ASCII white space and NUL at both ends, in lower case. */
export const normalizeEmail = (email: string) => email.slice(firstOf(email), lastOf(email)).toLowerCase()

/** Messages for a normalized address; whether it is taken is looked up only when it is one. */
export async function emailMessages(db: Database, email: string) {
  const messages = email.trim() === '' ? ["can't be blank"] : []
  if (!isAddress(email)) return [...messages, 'is invalid']
  const [owner] = await db.select({ id: users.id }).from(users).where(eq(users.email, email))
  return owner ? [emailTaken] : []
}

// The pattern of HTML's input type=email, and the longest address that SMTP can carry (RFC 5321, 4.5.3.1).
const addressPattern =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/
export const isAddress = (email: string) => email.length <= 254 && addressPattern.test(email)

const longestName = 255
export const emailTaken = 'has already been taken'

// Postgres stores neither NUL nor half of a surrogate pair.
const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')

const isTrimmed = (code: number) => code === 0 || (code >= 9 && code <= 13) || code === 32
function firstOf(text: string) {
  let index = 0
  while (index < text.length && isTrimmed(text.charCodeAt(index))) index++
  return index
}
function lastOf(text: string) {
  let index = text.length
  while (index > 0 && isTrimmed(text.charCodeAt(index - 1))) index--
  return index
}
