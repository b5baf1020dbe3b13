import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type SessionMethod, type User, users } from '../../drizzle/schema.ts'
import { type Database, isUniqueViolation, type Tx } from '../../plugins/database/index.ts'
import { assertValid, Denied, Invalid } from '../../plugins/forms/index.ts'
import { nameMessages as messagesForName } from '../../plugins/forms/names.ts'
import type { Client } from '../../plugins/http/client.ts'
import { text } from '../../plugins/languages/index.ts'
import { isEmailAddress, normalizeEmail } from '../../plugins/mail/email-address.ts'
import { digestOf } from '../../plugins/security/digests.ts'
import { createPersonalAccount, selectLastUsedSlug } from '../accounts/accounts.ts'
import { acceptInvitation, type PendingInvitation } from '../accounts/received-invitations.ts'
import { record } from '../activity/index.ts'
import { holdersOf, lockHolders, makeWay, replaceableIn } from './addresses.ts'
import { claimUser } from './claims.ts'
import { newPasswordMessages } from './passwords.ts'
import { insertSession } from './sessions.ts'
import { withRetries } from './user-deletion.ts'
import { queueVerification } from './verification.ts'

export type NewUser = { name: string; email: string; password: string; language?: string }

type Input = NewUser & {
  password_confirmation: string
  /** The only address that may sign up. */
  invitedEmail?: string | undefined
  /** An address where an invitation's mail was read. */
  proved?: string | undefined
}

/** Validates a sign-up. Throws Invalid with the messages of all fields. */
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

/** Messages for the address of a sign-up. */
export const newEmailMessages = async (
  db: Database,
  email: string,
  { invitedEmail, proved }: Pick<Input, 'invitedEmail' | 'proved'>,
) =>
  invitedEmail && invitedEmail !== email
    ? [text('must be {email}, the address invited', { email: invitedEmail })]
    : emailMessages(db, email, proved)

/**
 * Creates a user with a personal account and a session, and returns the account to go to. If the invitation was sent to
 * this address, that is the inviting account, and the address counts as verified: someone who signed up with it and
 * never verified it makes way. Throws Invalid if the address was taken since the check.
 */
export async function signUp(app: FastifyInstance, newUser: NewUser, client: Client, invitation?: PendingInvitation) {
  const { password, ...person } = newUser
  const ownInvitation = invitation?.invitation.email === person.email ? invitation : undefined
  const passwordDigest = await digestOf(password) // hashing is slow, so it happens before the transaction
  return createOrClaimUser(
    app,
    { ...person, passwordDigest, proved: ownInvitation !== undefined, ownInvitation, method: 'password' },
    client,
  )
}

type Newcomer = Omit<NewUser, 'password'> & {
  passwordDigest: string | null
  /** Whether the address is known to be theirs. */
  proved: boolean
  /** The invitation to this address. */
  ownInvitation?: PendingInvitation | undefined
  method: SessionMethod
  /** Whether they may only take the place of someone. */
  mustClaim?: boolean
  /** What else is written in the transaction, at the moment at which a proved address counts as verified. */
  onCreated?(tx: Tx, user: User, now: Date): Promise<unknown>
}

/**
 * Creates the user, or has them take the place of someone who signed up with their address. The account to go to is
 * undefined if that person had none. Throws Invalid if the address is taken, and Denied if there is nobody whose place
 * they may take.
 */
export const createOrClaimUser = (app: FastifyInstance, newcomer: Newcomer, client: Client) => {
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
  // pipelined into one round trip
  const [personal, session] = await Promise.all([
    claimed ? undefined : createPersonalAccount(tx, user),
    insertSession(tx, now, user.id, client, method),
    record(tx, 'signed_up', { userId: user.id }),
    user.verified || queueVerification(app, tx, user),
  ])
  await onCreated?.(tx, user, now)
  if (ownInvitation) return { user, account: await acceptInvitation(app, tx, ownInvitation, user), session }
  const [own] = personal ? [personal] : await selectLastUsedSlug(tx, user)
  return { user, account: own, session }
}

type Person = Pick<Newcomer, 'name' | 'email' | 'passwordDigest' | 'language'>

/** Frees a proved address. Returns the user whose place its owner takes, if there is one. Throws Invalid. */
async function claimAddress(app: FastifyInstance, tx: Tx, person: Person, followed: PendingInvitation | undefined) {
  const { id: invitationId, accountId } = followed?.invitation ?? {}
  const found = await lockHolders(tx, person.email, { accountId })
  if (!found) throw new Invalid({ email: [emailTaken] })
  const { holders, accounts } = found
  const replaceable = replaceableIn(holders)
  if (replaceable) return claimUser(app, tx, replaceable.id, person, { accounts, invitationId })
  await makeWay(app, tx, found)
}

/** Messages for the name of a person. */
export const nameMessages = (name: string) => messagesForName(name, maxNameLength)

/**
 * Messages for a normalized address. Anyone who has it keeps it, but from someone who proved it only one who verified
 * it. Queries the database only if the address is well-formed.
 */
export async function emailMessages(db: Database, email: string, proved?: string) {
  const messages = email.trim() === '' ? [text("can't be blank")] : []
  if (!isEmailAddress(email)) return [...messages, text('is invalid')]
  const isFree = email === proved ? await holdersOf(db, email) : (await db.$count(users, eq(users.email, email))) === 0
  return isFree ? [] : [emailTaken]
}

/** For a transaction that gives someone an address that was free before. */
export function refuseTaken(error: unknown): never {
  throw isUniqueViolation(error) ? new Invalid({ email: [emailTaken] }) : error
}

const maxNameLength = 255
const emailTaken = text('has already been taken')
