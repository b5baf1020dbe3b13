import { eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type SessionFactors, type User, users } from '../../drizzle/schema.ts'
import { isUniqueViolation, type Tx } from '../../plugins/database/index.ts'
import { Denied, Invalid } from '../../plugins/forms/index.ts'
import type { Client } from '../../plugins/http/request.ts'
import { text } from '../../plugins/languages/index.ts'
import { forgetPresence } from '../../plugins/live/index.ts'
import { digestOf } from '../../plugins/security/digests.ts'
import { tryTakeMail } from '../../plugins/security/limits/index.ts'
import { createAccount, lastUsedPath, personalAccountOf } from '../accounts/accounts.ts'
import { isOpenToNewUsers } from '../accounts/beginnings.ts'
import { joinedAccounts, separateFromOthers } from '../accounts/claims.ts'
import { acceptInvitation, type PendingInvitation } from '../accounts/received-invitations.ts'
import { record } from '../activity/index.ts'
import { paths } from '../paths.ts'
import { lockHolders, releaseAddress, replaceableIn } from './addresses.ts'
import { emailTaken, type NewUser } from './checks.ts'
import { type Device, ownBudgetFor, rememberDevice, rememberMethod } from './device.ts'
import { ChangedMeanwhile, withRetries } from './retries.ts'
import { deleteSessions, insertSession } from './sessions.ts'
import { removeSignInMethods } from './sign-in-methods.ts'

/** With an invitation to this address, they join and it counts as verified. Throws Invalid if it was taken since. */
export async function signUp(app: FastifyInstance, newUser: NewUser, client: Client, invitation?: PendingInvitation) {
  const { password, ...person } = newUser
  const proved = invitation?.invitation.email === person.email
  const passwordDigest = await digestOf(password) // slow, so before the transaction
  return createUser(
    app,
    { ...person, passwordDigest, proved, invitation, factors: { firstFactor: 'password' } },
    client,
  )
}

export type Newcomer = Omit<NewUser, 'password'> & {
  passwordDigest: string | null
  proved: boolean
  invitation?: PendingInvitation
  factors: SessionFactors
  /** Only the address of an unverified user may be used to sign up. */
  mustReplaceUnverified?: boolean
  /** An account that `onCreated` changes, to be locked before the user is. */
  joinsAccountId?: number
  /** Whether it was the person who proved the address, and not somebody who answers for them. */
  isProvedByUser?: boolean
  onCreated?(tx: Tx, user: User, now: Date, token: string): Promise<unknown>
}

/**
 * Creates a user. If an unverified user has the email address, replaces that user. Throws Invalid if the address is
 * taken, and Denied.
 */
export function createUser(app: FastifyInstance, newcomer: Newcomer, client: Client) {
  const create = (tx: Tx) => insertUser(app, tx, newcomer, client)
  return newcomer.proved ? withRetries(app.db, create) : app.db.transaction(create).catch(refuseTaken)
}

async function insertUser(app: FastifyInstance, tx: Tx, newcomer: Newcomer, client: Client) {
  const {
    proved,
    isProvedByUser = true,
    invitation,
    factors,
    mustReplaceUnverified = false,
    joinsAccountId,
    onCreated,
    ...person
  } = newcomer
  const matchingInvitation = proved && invitation?.invitation.email === person.email ? invitation : undefined
  const now = app.now()
  const provedEmail = proved && isProvedByUser ? person.email : null
  const proof = { verified: true, verifiedAt: now, provedEmail }
  const claimed = proved
    ? await claimAddress(app, tx, { ...person, ...proof }, matchingInvitation, joinsAccountId)
    : undefined
  if (mustReplaceUnverified && !claimed) throw new Denied()

  const values = { ...person, ...(proved && proof) }
  const [user] = claimed ? [claimed] : await tx.insert(users).values(values).returning()
  if (!user) throw new Error('the user was not created')
  await record(tx, 'signed_up', { userId: user.id })
  // Named exactly after the user, even if other accounts may not have a name that long.
  const hasPersonal = claimed && (await personalAccountOf(tx, user.id))
  const personal = hasPersonal ? undefined : await createAccount(app, tx, user.name, user.id, { personal: true })
  const session = await insertSession(tx, now, user.id, client, factors)
  if (!user.verified) await queueVerification(app, tx, user)
  await onCreated?.(tx, user, now, session.token)
  const account = (matchingInvitation && (await acceptInvitation(app, tx, matchingInvitation, user))) ?? personal
  return { user, session, path: account ? paths.account(account.slug).url : await lastUsedPath(tx, user) }
}

type Claimant = Pick<Newcomer, 'name' | 'email' | 'passwordDigest' | 'language'> &
  Pick<User, 'verified' | 'verifiedAt' | 'provedEmail'>

/**
 * Takes an address from unverified users, for a person who proved it. A user who never verified any address becomes
 * that person's: their data stays, but their sign-in methods and all that they share with others end. Returns this
 * user, if there is one. Throws ChangedMeanwhile if they are in more accounts by now.
 */
async function claimAddress(
  app: FastifyInstance,
  tx: Tx,
  claimant: Claimant,
  followed: PendingInvitation | undefined,
  joinsAccountId: number | undefined,
) {
  const { email } = claimant
  const { id: acceptedInvitationId = 0, accountId = joinsAccountId } = followed?.invitation ?? {}
  const locks = await lockHolders(app, tx, email, { accountId })
  if (!locks) throw new Invalid({ email: [emailTaken] })
  const replaceable = replaceableIn(locks.holders)
  if (!replaceable) {
    await releaseAddress(app, tx, locks)
    return undefined
  }

  const { id } = replaceable
  const accounts = await joinedAccounts(tx, id)
  const [before] = await tx.select().from(users).where(eq(users.id, id))
  if (!before || !accounts.every((account) => locks.accounts.includes(account.id))) throw new ChangedMeanwhile()
  await separateFromOthers(app, tx, id, { accounts, acceptedInvitationId })
  await removeSignInMethods(app, tx, before, locks.accounts)
  await deleteSessions(tx, id)
  await app.jobs.forget(tx, [email])
  await forgetPresence(tx, id)
  const values = { ...claimant, picture: null, passkeyHandle: null }
  const [claimed] = await tx.update(users).set(values).where(eq(users.id, id)).returning()
  return claimed
}

/** For a transaction that gives someone an address that was free before. */
export function refuseTaken(error: unknown): never {
  throw isUniqueViolation(error, 'users_email_unique') ? new Invalid({ email: [emailTaken] }) : error
}

/** Queues a verification mail, unless the address has reached its daily limit. */
export async function queueVerification({ mail }: FastifyInstance, tx: Tx, user: Pick<User, 'id' | 'email'>) {
  if (await tryTakeMail(tx, 'verification_mail', user.email))
    await mail.queue(tx, 'email_verification', { userId: user.id })
}

/** Queues a mail with a link that sets a password, unless the address, or the device that knows the person, has reached its daily limit. */
export async function queuePasswordReset({ mail }: FastifyInstance, tx: Tx, email: string, device?: Device) {
  const own = await ownBudgetFor(tx, 'reset_mail', device, email)
  if (await tryTakeMail(tx, 'reset_mail', email, { own })) await mail.queue(tx, 'password_reset', { email })
}

type SignedUp = Awaited<ReturnType<typeof createUser>>

export function completeSignUp(reply: FastifyReply, { user, path, session }: SignedUp, returnTo = '') {
  return rememberDevice(rememberMethod(reply, session), user)
    .setSession(session.token)
    .notice(text('Welcome! You have signed up successfully'))
    .redirect(isOpenToNewUsers(reply.server, returnTo) ? returnTo : path)
}

export const refuseUninvited = (reply: FastifyReply) =>
  reply
    .alert(text('{appName} is invitation only. Ask an admin to invite you', { appName: reply.server.site.appName }))
    .redirect(paths.signInPage().url)
