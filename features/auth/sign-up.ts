import { eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type SessionMethod, type User, users } from '../../drizzle/schema.ts'
import { type Database, isUniqueViolation, type Tx } from '../../plugins/database/index.ts'
import { assertValid, Denied, Invalid } from '../../plugins/forms/index.ts'
import { nameMessages as messagesForName } from '../../plugins/forms/names.ts'
import type { Client } from '../../plugins/http/client.ts'
import { text } from '../../plugins/languages/index.ts'
import { isEmailAddress, normalizeEmail } from '../../plugins/mail/email-address.ts'
import { digestOf } from '../../plugins/security/digests.ts'
import { tryTakeMail } from '../../plugins/security/limits/index.ts'
import { createAccount, lastUsedSlug } from '../accounts/accounts.ts'
import { acceptInvitation, type PendingInvitation } from '../accounts/received-invitations.ts'
import { record } from '../activity/index.ts'
import { paths } from '../paths.ts'
import { holdersOf } from './addresses.ts'
import { claimAddress, emailTaken } from './claims.ts'
import { newPasswordMessages } from './passwords.ts'
import { insertSession } from './sessions.ts'
import { withRetries } from './user-deletion.ts'

const maxNameLength = 255

export type NewUser = { name: string; email: string; password: string; language?: string }

type Input = NewUser & {
  password_confirmation: string
  /** The only address that may sign up. */
  invitedEmail?: string | undefined
  /** The address of the invitation, if the person followed its link. */
  proved?: string | undefined
}

export async function checkNewUser(app: FastifyInstance, input: Input): Promise<NewUser> {
  const { name, password } = input
  const email = normalizeEmail(input.email)
  assertValid({
    name: nameMessages(name),
    email: await newEmailMessages(app.db, email, input),
    ...newPasswordMessages(app, input, { name, email }),
  })
  return { name, email, password }
}

export const nameMessages = (name: string) => messagesForName(name, maxNameLength)

export const newEmailMessages = async (
  db: Database,
  email: string,
  { invitedEmail, proved }: Pick<Input, 'invitedEmail' | 'proved'>,
) =>
  invitedEmail && invitedEmail !== email
    ? [text('must be {email}, the address invited', { email: invitedEmail })]
    : emailMessages(db, email, proved)

/** Messages for a normalized address. To someone who proved it, it is taken only if another user verified it. */
export async function emailMessages(db: Database, email: string, proved?: string) {
  const messages = email.trim() === '' ? [text("can't be blank")] : []
  if (!isEmailAddress(email)) return [...messages, text('is invalid')]
  const isFree = email === proved ? await holdersOf(db, email) : (await db.$count(users, eq(users.email, email))) === 0
  return isFree ? [] : [emailTaken]
}

/** With an invitation to this address, they join and it counts as verified. Throws Invalid if it was taken since. */
export async function signUp(app: FastifyInstance, newUser: NewUser, client: Client, invitation?: PendingInvitation) {
  const { password, ...person } = newUser
  const ownInvitation = invitation?.invitation.email === person.email ? invitation : undefined
  const passwordDigest = await digestOf(password) // slow, so before the transaction
  const proved = ownInvitation !== undefined
  return createUser(app, { ...person, passwordDigest, proved, ownInvitation, method: 'password' }, client)
}

export type Newcomer = Omit<NewUser, 'password'> & {
  passwordDigest: string | null
  /** Whether they proved that the address is theirs. */
  proved: boolean
  ownInvitation?: PendingInvitation | undefined
  method: SessionMethod
  /** Only the address of an unverified user may be used to sign up. */
  mustClaim?: boolean
  /** What else is written in the transaction. */
  onCreated?(tx: Tx, user: User, now: Date): Promise<unknown>
}

/** Or lets them take the place of an unverified user. Throws Invalid if the address is taken, and Denied. */
export function createUser(app: FastifyInstance, newcomer: Newcomer, client: Client) {
  const create = (tx: Tx) => insertUser(app, tx, newcomer, client)
  return newcomer.proved ? withRetries(app.db, create) : app.db.transaction(create).catch(refuseTaken)
}

async function insertUser(app: FastifyInstance, tx: Tx, newcomer: Newcomer, client: Client) {
  const { proved, ownInvitation, method, mustClaim = false, onCreated, ...person } = newcomer
  const now = app.now()
  const claimed = proved ? await claimAddress(app, tx, person, ownInvitation) : undefined
  if (mustClaim && !claimed) throw new Denied()

  const values = { ...person, ...(proved && { verified: true, verifiedAt: now, provedEmail: person.email }) }
  const [user] = claimed ? [claimed] : await tx.insert(users).values(values).returning()
  if (!user) throw new Error('the user was not created')
  await record(tx, 'signed_up', { userId: user.id })
  // Named exactly after the user, even if other accounts may not have a name that long.
  const personal = claimed ? undefined : await createAccount(tx, user.name, user.id, { personal: true })
  const session = await insertSession(tx, now, user.id, client, method)
  if (!user.verified) await queueVerification(app, tx, user)
  await onCreated?.(tx, user, now)
  const invited = ownInvitation && (await acceptInvitation(app, tx, ownInvitation, user))
  return { user, session, slug: (invited ?? personal)?.slug ?? (await lastUsedSlug(tx, user)) }
}

/** For a transaction that gives someone an address that was free before. */
export function refuseTaken(error: unknown): never {
  throw isUniqueViolation(error) ? new Invalid({ email: [emailTaken] }) : error
}

/** Queues a verification mail, unless the address has reached its daily limit. */
export async function queueVerification(
  { mail }: FastifyInstance,
  tx: Tx,
  { id: userId, email }: { id: number; email: string },
) {
  if (await tryTakeMail(tx, 'verification_mail', email)) await mail.queue(tx, 'email_verification', { userId })
}

type SignedUp = Awaited<ReturnType<typeof createUser>>

export function completeSignUp(reply: FastifyReply, { user, slug, session }: SignedUp, returnTo = '') {
  const account = slug ? paths.account(slug) : paths.newAccount()
  return reply
    .setSession(session.token)
    .rememberDevice(user)
    .notice(text('Welcome! You have signed up successfully'))
    .redirect(returnTo.startsWith(paths.join('').url) ? returnTo : account.url) // others are closed to a newcomer
}

export const refuseUninvited = (reply: FastifyReply, appName: string) =>
  reply
    .alert(text('{appName} is invitation only. Ask an admin to invite you', { appName }))
    .redirect(paths.signIn().url)
