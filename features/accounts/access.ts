import { and, asc, eq, gt, inArray, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import {
  type Account,
  accounts,
  memberships,
  type Role,
  type SessionFactors,
  sessionFactors,
  sessions,
  users,
} from '../../drizzle/schema.ts'
import { passkeys } from '../../drizzle/tables/passkeys.ts'
import { ssoConnections, ssoFactors, ssoIdentities, ssoPasses } from '../../drizzle/tables/single-sign-on.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { Denied, Invalid } from '../../plugins/forms/index.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { text } from '../../plugins/languages/index.ts'
import { type Credential, sessionTransaction } from '../../plugins/security/session-transaction.ts'
import { manages, owns, writes } from './roles.ts'

/** The user who acts, the account, and the session or API token. Nothing is done unless that still exists. */
export type Actor = { userId: number; accountId: number; credential: Credential; passes: PassPolicy }

/** Whether a program acts for the user. */
export const isApiClient = ({ credential }: Actor) => typeof credential !== 'string'

type Work<Result> = (tx: Tx, role: Role, account: Account) => Promise<Result>

type Options = {
  /** Another account that the work changes. Accounts are locked in the order of their ids. */
  other?: number | undefined
  /** The work locks the session itself, such as to delete it. */
  workLocksSession?: boolean
}

/** Locks the account, so that roles and requirements stay. Throws NotFound, RequirementUnmet or SignedOut. */
export const asMember = <Result>(
  db: Database,
  actor: Actor,
  work: Work<Result>,
  { other, workLocksSession = false }: Options = {},
) =>
  sessionTransaction(
    db,
    actor.credential,
    async (tx) => {
      const ids = other === undefined ? [actor.accountId] : [actor.accountId, other]
      // A statement of its own, since everything else must be read after the wait for the lock.
      const locked = await tx
        .select()
        .from(accounts)
        .where(inArray(accounts.id, ids))
        .orderBy(asc(accounts.id))
        .for('no key update')
      const account = locked.find(({ id }) => id === actor.accountId)
      if (!account) throw new NotFound()
      const role = await roleOf(tx, actor)
      await requireAccess(tx, actor, account)
      return work(tx, role, account)
    },
    { workLocksSession },
  )

const asMemberWho =
  (may: (role: Role) => boolean) =>
  <Result>(db: Database, actor: Actor, work: Work<Result>, options?: Options) =>
    asMember(
      db,
      actor,
      (tx, role, account) => {
        if (!may(role)) throw new Denied()
        return work(tx, role, account)
      },
      options,
    )

/** The same for managers. Throws Denied, too. */
export const asManager = asMemberWho(manages)

/** The same for owners. Throws Denied, too. */
export const asOwner = asMemberWho(owns)

/** The same for whoever may change what features keep in the account. Throws Denied, too. */
export const asWriter = asMemberWho(writes)

/** Throws NotFound for others than members. */
async function roleOf(tx: Tx, { userId, accountId }: Actor) {
  const isOwn = and(eq(memberships.accountId, accountId), eq(memberships.userId, userId))
  const [membership] = await tx.select({ role: memberships.role }).from(memberships).where(isOwn)
  if (!membership) throw new NotFound()
  return membership.role
}

/** Throws RequirementUnmet. Asks the database only where the account has a requirement, which few have. */
export async function requireAccess(db: Database | Tx, actor: Actor, account: Account) {
  if (!account.requireSecondFactor && !account.requireSingleSignOn) return
  const { userId, accountId, credential, passes } = actor
  const isSession = typeof credential === 'string'
  const proof = isSession
    ? proofOfSession(sql`${credential}`, passes)
    : proofOfToken(credential, sql`${userId}::bigint`, passes)
  const { rows } = await db.execute<{ unmet: Requirement | null }>(sql`
    select ${unmetRequirement(proof, passes)} as unmet
    from ${accounts} account join ${memberships} member on member.account_id = account.id
    where account.id = ${accountId} and member.user_id = ${userId}`)
  const unmet = rows[0]?.unmet
  if (unmet) throw new RequirementUnmet(unmet, account)
}

/** What a user still has to do: single sign-on, a set-up of a second factor, or a proof of it in this session. */
type Requirement = 'single_sign_on' | 'setup' | 'proof'

/**
 * Since when a session must have passed single sign-on, or a person with an API token, to get into accounts that
 * require it, and until when a factor must have been set up to count for owners there. Undefined if single sign-on is off, so that no account requires it.
 */
export type PassPolicy = { sessionsSince: Date; peopleSince: Date; factorsUntil: Date } | undefined

/** As long as a change of an address can be undone: whoever steals a password cannot get in by setting up an app. */
export const newFactorMs = 3 * 86_400_000
const thirtyDaysMs = 2_592_000_000

export function passPolicy({ site, now }: FastifyInstance): PassPolicy {
  const at = now().getTime()
  const maxMs = site.singleSignOn?.maxMs
  return maxMs === undefined
    ? undefined
    : {
        sessionsSince: new Date(at - maxMs),
        peopleSince: new Date(at - thirtyDaysMs),
        factorsUntil: new Date(at - newFactorMs),
      }
}

/** What a session or an API token shows of its user: two factors, since when they have them, and single sign-on. */
type Proof = { twoFactors: SQL; twoFactorsSince: SQL; passed: SQL }

/** Null if the account is open to the member. For a query of `account` and `member`. */
export const unmetRequirement = (
  { twoFactors, twoFactorsSince, passed }: Proof,
  passes: PassPolicy,
) => sql<Requirement | null>`case
  when not account.require_second_factor and not account.require_single_sign_on then null
  when ${passed} then null
  when ${passes !== undefined}::boolean and account.require_single_sign_on
    and (member.outside or (member.role = 'owner' and ${twoFactors} and ${counts(twoFactorsSince, passes)})) is not true
    then 'single_sign_on'
  when not account.require_second_factor then null
  when ${hasSecondFactor(sql`member.user_id`)} is not true then 'setup'
  when ${twoFactors} is not true then 'proof' end`

/**
 * Whether a factor that was set up then counts for an owner where single sign-on is required: it is older than the
 * requirement or 72 hours, or was set up in a session to which the account was open. Where the time is not known, the
 * user's newest factor decides. For a query of `account` and `member`.
 */
export const counts = (setUpAt: SQL, passes: PassPolicy) =>
  passes
    ? sql`(
      coalesce(${setUpAt}, (
        select greatest(person.second_factor_at,
          (select max(passkey.created_at) from ${passkeys} passkey where passkey.user_id = person.id))
        from ${users} person where person.id = member.user_id
      )) <= greatest(account.single_sign_on_required_at, ${passes.factorsUntil.toISOString()}::timestamptz)
      or exists (
        select from ${ssoFactors} factor
        where factor.user_id = member.user_id and factor.account_id = account.id and factor.set_up_at = ${setUpAt}))`
    : sql`true`

/** Of the session with this token. */
export const proofOfSession = (token: SQL, passes: PassPolicy): Proof => ({
  twoFactors: sessionHasSecondFactor(token),
  twoFactorsSince: sessionTwoFactorsSince(token),
  passed: passes
    ? sql`exists (
      select from ${ssoPasses} pass join ${ssoConnections} connection on connection.id = pass.connection_id
      where pass.session_token = ${token} and connection.account_id = account.id
        and pass.passed_at > ${passes.sessionsSince.toISOString()}::timestamptz)`
    : sql`false`,
})

/** What an API token keeps of the session in which it is created. */
export const connectionsPassedBy = (token: string, passes: PassPolicy) =>
  passes
    ? sql<number[]>`array(select ${ssoPasses.connectionId} from ${ssoPasses} where ${and(
        eq(ssoPasses.sessionToken, token),
        gt(ssoPasses.passedAt, passes.sessionsSince),
      )})`
    : []

/** Of an API token, which shows what its session had, as long as its person passes single sign-on again and again. */
const proofOfToken = (
  { hasSecondFactor, twoFactorsSince, passedConnections }: Exclude<Credential, string>,
  userId: SQL,
  passes: PassPolicy,
): Proof => ({
  twoFactors: sql`${hasSecondFactor}::boolean`,
  twoFactorsSince: sql`${twoFactorsSince?.toISOString() ?? null}::timestamptz`,
  passed: passes
    ? sql`exists (
      select from ${ssoConnections} connection join ${ssoIdentities} identity using (account_id)
      where connection.account_id = account.id and connection.id = any(${sql.param(passedConnections)}::bigint[])
        and identity.user_id = ${userId} and identity.subject is not null
        and identity.last_used_at > ${passes.peopleSince.toISOString()}::timestamptz)`
    : sql`false`,
})

/**
 * An authenticator app or a passkey. A scalar subquery, so that Postgres looks up one user and never reads them all.
 */
export const hasSecondFactor = (userId: SQLWrapper) => sql<boolean>`(
  select person.second_factor_at is not null
    or exists (select from ${passkeys} passkey where passkey.user_id = person.id)
  from ${users} person where person.id = ${userId})`

/** Of rows of `sessions`. A passkey is two factors by itself. */
export const hasTwoFactors = sql<boolean>`(
  ${sessionFactors.firstFactor} = 'passkey' or ${sessionFactors.secondFactor} is not null)`

/** The same for a session that was read. */
export const beganWithTwoFactors = ({ firstFactor, secondFactor }: SessionFactors) =>
  firstFactor === 'passkey' || secondFactor != null

export const sessionHasSecondFactor = (token: SQL) =>
  sql`(select ${hasTwoFactors} from ${sessions} where ${sessions.token} = ${token})`

export const sessionTwoFactorsSince = (token: SQL) =>
  sql`(select ${sessions.twoFactorsSince} from ${sessions} where ${sessions.token} = ${token})`

export class RequirementUnmet extends Error {
  readonly unmet: Requirement
  readonly account: Pick<Account, 'name' | 'slug'>

  constructor(unmet: Requirement, account: Account) {
    super('the account requires more of this session')
    this.unmet = unmet
    this.account = account
  }
}

/** Owners without a second factor would lock themselves out. Throws Invalid. */
export async function checkOwnFactor(db: Database | Tx, userId: number) {
  if ((await db.$count(users, and(eq(users.id, userId), hasSecondFactor(users.id)))) === 0)
    throw new Invalid({ require_second_factor: [text('needs a second factor of your own')] })
}
