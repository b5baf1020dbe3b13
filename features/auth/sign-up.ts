import { eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type SessionFactors, type User, users } from '../../drizzle/schema.ts'
import { StaleRead, type Tx } from '../../plugins/database/index.ts'
import { Denied, Invalid } from '../../plugins/forms/index.ts'
import type { Client } from '../../plugins/http/request.ts'
import { text } from '../../plugins/languages/index.ts'
import { forgetPresence } from '../../plugins/live/presence.ts'
import { digestOf } from '../../plugins/security/digests.ts'
import { tryTakeMail } from '../../plugins/security/limits/index.ts'
import { createAccount, lastUsedPath, personalAccountOf } from '../accounts/accounts.ts'
import { detachFromSharedAccounts, joinedAccounts } from '../accounts/claims.ts'
import { acceptInvitation, type PendingInvitation } from '../accounts/received-invitations.ts'
import { record } from '../activity/index.ts'
import { paths } from '../paths.ts'
import { lockUnverifiedOwners, releaseAddress, replaceableIn } from './addresses.ts'
import { emailTaken, type UserWithPassword } from './checks.ts'
import { type Device, ownBudgetFor, rememberDevice, rememberMethod } from './device.ts'
import { deleteSessions, insertSession } from './sessions.ts'
import { removeSignInMethods } from './sign-in-methods.ts'

/** With an invitation to this address, they join and it counts as verified. Throws Invalid if it was taken since. */
export async function signUp(
  app: FastifyInstance,
  { password, ...person }: UserWithPassword,
  client: Client,
  invitation?: PendingInvitation,
) {
  const isVerified = invitation?.invitation.email === person.email
  const passwordDigest = await digestOf(password) // slow, so before the transaction
  const factors = { firstFactor: 'password' } as const
  return createUser(app, { ...person, passwordDigest, isVerified, invitation, factors }, client)
}

export type NewUser = Omit<UserWithPassword, 'password'> & {
  passwordDigest: string | null
  /** Whether they opened a link for the address, or somebody answers for it. */
  isVerified: boolean
  invitation?: PendingInvitation
  factors: SessionFactors
  /** Only the address of an unverified user may be used to sign up. */
  onlyIfReplacing?: boolean
  /** An account that `onCreated` changes, to be locked before the user is. */
  lockAccountId?: number
  /** Whether it was the user who opened the link, and not somebody who answers for them. */
  openedBySelf?: boolean
  onCreated?(tx: Tx, user: User, now: Date, token: string): Promise<unknown>
}

/**
 * Creates a user. Whoever proved the address replaces an unverified user who has it. Throws Invalid if the address is
 * taken, and Denied.
 */
export const createUser = (app: FastifyInstance, newUser: NewUser, client: Client) =>
  app.db.transaction((tx) => insertUser(app, tx, newUser, client))

async function insertUser(app: FastifyInstance, tx: Tx, newUser: NewUser, client: Client) {
  const {
    isVerified,
    openedBySelf = true,
    invitation,
    factors,
    onlyIfReplacing = false,
    lockAccountId,
    onCreated,
    ...person
  } = newUser
  const matchingInvitation = isVerified && invitation?.invitation.email === person.email ? invitation : undefined
  const now = app.now()
  const verification = { verified: true, verifiedAt: now, provedEmail: openedBySelf ? person.email : null }
  const claimed = isVerified
    ? await claimAddress(app, tx, { ...person, ...verification }, matchingInvitation, lockAccountId)
    : undefined
  if (onlyIfReplacing && !claimed) throw new Denied()

  const values = { ...person, ...(isVerified && verification) }
  const [user] = claimed ? [claimed] : await tx.insert(users).values(values).onConflictDoNothing().returning()
  // Somebody was faster. Whoever proved the address may take their place.
  if (!user) throw isVerified ? new StaleRead() : new Invalid({ email: [emailTaken] })
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

type Claimant = Pick<NewUser, 'name' | 'email' | 'passwordDigest' | 'language'> &
  Pick<User, 'verified' | 'verifiedAt' | 'provedEmail'>

/**
 * Takes an address from unverified users, for a person who proved it. A user who never verified any address becomes
 * that person's: their data stays, but their sign-in methods and all that they share with others end. Returns this
 * user, if there is one. Throws StaleRead if they are in more accounts by now.
 */
async function claimAddress(
  app: FastifyInstance,
  tx: Tx,
  claimant: Claimant,
  followed: PendingInvitation | undefined,
  lockAccountId: number | undefined,
) {
  const { email } = claimant
  const { id: acceptedInvitationId = 0, accountId = lockAccountId } = followed?.invitation ?? {}
  const locks = await lockUnverifiedOwners(app, tx, email, { accountId })
  if (!locks) throw new Invalid({ email: [emailTaken] })
  const replaceable = replaceableIn(locks.owners)
  if (!replaceable) {
    await releaseAddress(app, tx, locks)
    return undefined
  }

  const { id } = replaceable
  const accounts = await joinedAccounts(tx, id)
  const [before] = await tx.select().from(users).where(eq(users.id, id))
  if (!before || !accounts.every((account) => locks.accounts.includes(account.id))) throw new StaleRead()
  await detachFromSharedAccounts(app, tx, id, { accounts, acceptedInvitationId })
  await removeSignInMethods(app, tx, before, locks.accounts)
  await deleteSessions(tx, id)
  await app.jobs.forget(tx, [email])
  await forgetPresence(tx, id)
  const values = { ...claimant, picture: null, passkeyHandle: null }
  const [claimed] = await tx.update(users).set(values).where(eq(users.id, id)).returning()
  return claimed
}

/** Queues a verification mail, unless the address has reached its daily limit. */
export async function queueVerification({ mail }: FastifyInstance, tx: Tx, user: Pick<User, 'id' | 'email'>) {
  if (await tryTakeMail(tx, 'verification_mail', user.email))
    await mail.queue(tx, 'email_verification', { userId: user.id })
}

/**
 * Queues a mail with a link that sets a password, unless the address, or the device that knows the person, has reached
 * its daily limit.
 */
export async function queuePasswordReset({ mail }: FastifyInstance, tx: Tx, email: string, device?: Device) {
  const own = await ownBudgetFor(tx, 'reset_mail', device, email)
  if (await tryTakeMail(tx, 'reset_mail', email, { own })) await mail.queue(tx, 'password_reset', { email })
}

type SignedUp = Awaited<ReturnType<typeof createUser>>

export function completeSignUp(reply: FastifyReply, { user, path, session }: SignedUp, returnTo = '') {
  return rememberDevice(rememberMethod(reply, session), user)
    .setSession(session.token)
    .notice(text('Welcome! You have signed up successfully'))
    .redirect(reply.server.beginnings.some(({ leadsTo }) => leadsTo?.(returnTo)) ? returnTo : path)
}

export const refuseUninvited = (reply: FastifyReply) =>
  reply
    .alert(text('{appName} is invitation only. Ask an admin to invite you', { appName: reply.server.site.appName }))
    .redirect(paths.signInPage().url)
