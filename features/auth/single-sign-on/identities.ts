import { and, asc, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import {
  type Account,
  accounts,
  invitations,
  memberships,
  ssoConnections,
  ssoIdentities,
  ssoPasses,
  type User,
  users,
} from '../../../drizzle/schema.ts'
import type { Database, Tx } from '../../../plugins/database/index.ts'
import { Refused } from '../../../plugins/forms/index.ts'
import { NotFound } from '../../../plugins/http/errors.ts'
import type { Client } from '../../../plugins/http/request.ts'
import { type Text, text } from '../../../plugins/languages/index.ts'
import { sessionTransaction } from '../../../plugins/security/session-transaction.ts'
import { addMember, mayJoin } from '../../accounts/accounts.ts'
import { isAtVerifiedDomain } from '../../accounts/email-domains.ts'
import { availabilityOf } from '../addresses.ts'
import { nameMessages } from '../checks.ts'
import { recordWithNotice } from '../notices.ts'
import type { SignInContext } from '../pending-sign-in.ts'
import type { ProviderProfile } from '../providers/clients/client.ts'
import { InvalidResponse } from '../providers/clients/failures.ts'
import { type Reauthenticated, type Session, withReauthentication } from '../reauthentication/index.ts'
import { removeSsoIdentities } from '../removals.ts'
import { renewToken } from '../sessions.ts'
import { createUser } from '../sign-up.ts'
import type { Connected } from './connections.ts'
import { domainOf } from './domain-names.ts'
import { stillStands } from './domains.ts'

/** The provider vouched for somebody whom we do not let in. `code` is for the security log and the workspace's page. */
export class Rejected extends Refused {
  readonly code: string

  constructor(code: string, reason: Text) {
    super(reason)
    this.code = code
  }
}

type Pass = NonNullable<SignInContext['sso']>

/** Whom the provider of a workspace means by this subject. */
export async function recognize(db: Database | Tx, accountId: number, subject: string) {
  const [found] = await db
    .select({ id: ssoIdentities.id, user: users })
    .from(ssoIdentities)
    .innerJoin(users, eq(users.id, ssoIdentities.userId))
    .where(and(eq(ssoIdentities.accountId, accountId), eq(ssoIdentities.subject, subject)))
  return found
}

/**
 * Whether an identity may pass a connection, for a sign-in: false if either is gone by now. Throws Rejected if the user
 * has no verified address at a domain of the workspace any more.
 */
export async function mayPass(tx: Tx, user: User, { identityId, connectionId }: Pass) {
  // Whoever locks a connection is removing it: waiting for them with the user locked could deadlock.
  const [found] = await tx
    .select({ account: accounts })
    .from(ssoConnections)
    .innerJoin(accounts, eq(accounts.id, ssoConnections.accountId))
    .innerJoin(ssoIdentities, eq(ssoIdentities.accountId, accounts.id))
    .where(
      and(
        eq(ssoConnections.id, connectionId),
        eq(ssoIdentities.id, identityId),
        eq(ssoIdentities.userId, user.id),
        isNotNull(ssoIdentities.subject),
      ),
    )
    .for('key share', { of: ssoConnections, skipLocked: true })
  if (!found) return false
  await requireAddressAt(tx, found.account, user)
  return true
}

/** A user counts while their own verified address is at a verified domain of the workspace. Throws Rejected. */
async function requireAddressAt(tx: Tx, account: Account, { email, verified }: User) {
  if (!verified || !(await isAtDomainOf(tx, account, email))) throw doesNotBelong(account, email)
}

/** Whether the workspace has a verified domain with this address. */
export async function isAtDomainOf(db: Database | Tx, { id }: Account, email: string) {
  const { rows } = await db.execute<{ at: boolean }>(
    sql`select ${isAtVerifiedDomain(sql`${id}::bigint`, sql`${email}::text`)} as at`,
  )
  return rows[0]?.at === true
}

const doesNotBelong = ({ name }: Account, address: string) =>
  new Rejected('foreign_address', text("{address} doesn't belong to {name}", { address, name }))

/** Records that a session passed the connection, and that its user did. The connection must be locked. */
export async function recordPass(tx: Tx, now: Date, sessionToken: string, { identityId, connectionId }: Pass) {
  const values = { sessionToken, connectionId, passedAt: now }
  const target = [ssoPasses.sessionToken, ssoPasses.connectionId]
  await tx
    .insert(ssoPasses)
    .values(values)
    .onConflictDoUpdate({ target, set: { passedAt: now } })
  await tx.update(ssoIdentities).set({ lastUsedAt: now }).where(eq(ssoIdentities.id, identityId))
}

const google = 'https://accounts.google.com'

/** The address that the provider of the workspace vouches for. Throws Rejected. */
export async function vouchedAddress(db: Database | Tx, { account, connection }: Connected, profile: ProviderProfile) {
  const { email, proved, hostedDomain } = profile
  if (!email || !proved) throw new Rejected('no_address', text('Your provider vouches for no address'))
  // Anybody can have an account at Google with an address elsewhere, for which only `hd` vouches.
  const isHosted = connection.issuer !== google || hostedDomain === domainOf(email)
  if (!isHosted || !(await isAtDomainOf(db, account, email))) throw doesNotBelong(account, email)
  return email
}

/** Whether somebody verified this address, who has to sign in to connect it. */
export const isTaken = async (db: Database, email: string) => (await availabilityOf(db, email)) === 'taken'

/** Passes the connection in a session, which gets a new token. An identity that is nobody's is connected first. */
export function passInSession(
  app: FastifyInstance,
  { userId, token }: Session,
  connected: Connected,
  profile: ProviderProfile,
  demoEmail: string | undefined,
) {
  const { account, connection } = connected
  return sessionTransaction(
    app.db,
    token,
    async (tx) => {
      await lockConnected(tx, connected)
      const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
      if (!user) throw new InvalidResponse('changed_meanwhile')
      const known = await recognize(tx, account.id, profile.subject)
      if (known && known.user.id !== userId) throw isAnother(profile.email ?? known.user.email)
      if (known) await requireAddressAt(tx, account, user)
      else await requireOwn(tx, connected, user, profile, demoEmail)

      const { id: identityId, joining } = known
        ? { id: known.id, joining: undefined }
        : await connect(app, tx, account, user, profile)
      const renewed = await renewToken(tx, { userId, token })
      await recordPass(tx, app.now(), renewed, { identityId, connectionId: connection.id })
      return { token: renewed, joining }
    },
    { workLocksSession: true },
  )
}

/** Locks the workspace, which whoever changes the connection does. Throws InvalidResponse if they were faster. */
async function lockConnected(tx: Tx, { account, connection }: Connected) {
  await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, account.id)).for('no key update')
  if ((await tx.$count(ssoConnections, eq(ssoConnections.id, connection.id))) === 0)
    throw new InvalidResponse('changed_meanwhile')
}

const isAnother = (address: string) =>
  new Rejected('another_user', text('Your provider knows you as {address}', { address }))

/** For an identity that is nobody's: the address must be that of this user. Throws Rejected. */
async function requireOwn(
  tx: Tx,
  connected: Connected,
  user: User,
  profile: ProviderProfile,
  demoEmail: string | undefined,
) {
  if (user.email === demoEmail) throw new Rejected('demo_user', text('The demo user connects nothing'))
  const address = await vouchedAddress(tx, connected, profile)
  if (address !== user.email) throw isAnother(address)
  if (!user.verified) throw new Rejected('unverified_address', text('Verify your email first'))
  const isConnected = and(
    eq(ssoIdentities.accountId, connected.account.id),
    eq(ssoIdentities.userId, user.id),
    isNotNull(ssoIdentities.subject),
  )
  if ((await tx.$count(ssoIdentities, isConnected)) > 0)
    throw new Rejected('another_subject', text('{address} is connected to another person there', { address }))
}

/** What became of somebody who had no identity of the workspace before. `never`: they had one. */
export type Joining = 'joined' | 'full' | 'never'

/** The workspace and the user must be locked, and the subject be nobody's. */
async function connect(app: FastifyInstance, tx: Tx, account: Account, user: User, profile: ProviderProfile) {
  const { subject, email } = profile
  const owner = { accountId: account.id, userId: user.id }
  const values = { subject, email, createdAt: app.now(), lastUsedAt: null }
  const [created] = await tx
    .insert(ssoIdentities)
    .values({ ...owner, ...values })
    .onConflictDoNothing()
    .returning()
  const isTheirs = and(eq(ssoIdentities.accountId, account.id), eq(ssoIdentities.userId, user.id))
  const hadOne = and(isTheirs, isNull(ssoIdentities.subject))
  const [identity] = created ? [created] : await tx.update(ssoIdentities).set(values).where(hadOne).returning()
  if (!identity) throw new InvalidResponse('changed_meanwhile')
  await recordWithNotice(app, tx, user, 'sso_connected', { account_name: account.name })
  // Whoever had one before was a member, and may have been removed.
  const joining: Joining = created ? await join(app, tx, account, user) : 'never'
  return { id: identity.id, joining }
}

/** With the role of an invitation to their address, which is accepted, or as a member. */
async function join(app: FastifyInstance, tx: Tx, account: Account, user: User): Promise<Joining> {
  if (!(await mayJoin(tx, user.id, account.id))) return 'full'
  const now = app.now()
  const open = and(
    eq(invitations.accountId, account.id),
    eq(invitations.email, user.email),
    isNull(invitations.acceptedAt),
    gt(invitations.expiresAt, now),
  )
  const accepted = { acceptedAt: now, accepterId: user.id }
  const [invitation] = await tx.update(invitations).set(accepted).where(open).returning()
  await addMember(tx, { accountId: account.id, userId: user.id }, invitation?.role ?? 'member', 'sso')
  return 'joined'
}

/**
 * Signs up whom the provider vouches for, or gives them the place of a user who never verified the address. Throws
 * Rejected if the domain is not theirs any more, and Invalid or InvalidResponse if somebody was faster.
 */
export async function signUp(
  app: FastifyInstance,
  connected: Connected,
  profile: ProviderProfile & { email: string },
  { client, language }: { client: Client; language: string },
) {
  const { account, connection } = connected
  const { email } = profile
  const domain = domainOf(email) ?? ''
  if (!(await stillStands(app, account.id, domain)))
    throw new Rejected('domain_unverified', text('{domain} is not verified any more', { domain }))

  const name =
    profile.name && nameMessages(profile.name).length === 0 ? profile.name : email.slice(0, email.indexOf('@'))
  let joining: Joining = 'never'
  async function onCreated(tx: Tx, user: User, now: Date, token: string) {
    await lockConnected(tx, connected)
    await vouchedAddress(tx, connected, profile) // the domain may be gone by now
    const identity = await connect(app, tx, account, user, profile)
    joining = identity.joining
    await recordPass(tx, now, token, { identityId: identity.id, connectionId: connection.id })
  }
  const person = { name, email, language, passwordDigest: null, proved: true, byThemself: false }
  const signedUp = await createUser(app, { ...person, method: 'sso', joins: account.id, onCreated }, client)
  return { ...signedUp, joining }
}

export const isMember = async (db: Database, accountId: number, userId: number) =>
  (await db.$count(memberships, and(eq(memberships.accountId, accountId), eq(memberships.userId, userId)))) > 0

/** Those of a person, connected ones alone, by workspace. */
export const ssoIdentitiesOf = (db: Database, userId: number) =>
  db
    .select({ identity: ssoIdentities, accountName: accounts.name })
    .from(ssoIdentities)
    .innerJoin(accounts, eq(accounts.id, ssoIdentities.accountId))
    .where(and(eq(ssoIdentities.userId, userId), isNotNull(ssoIdentities.subject)))
    .orderBy(asc(accounts.name), asc(ssoIdentities.id))

/** Throws NotFound, SignedOut or Invalid. */
export const disconnect = (app: FastifyInstance, reauthenticated: Reauthenticated, id: number) =>
  withReauthentication(app.db, reauthenticated, async (tx, user) => {
    if ((await removeSsoIdentities(app, tx, user, eq(ssoIdentities.id, id))) === 0) throw new NotFound()
  })
