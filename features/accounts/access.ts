import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { type Account, accounts, memberships, passkeys, type Role, sessions, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { Denied, Invalid } from '../../plugins/forms/index.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { text } from '../../plugins/languages/index.ts'
import { type Credential, sessionTransaction } from '../../plugins/security/session-transaction.ts'
import { manages, writes } from './roles.ts'

/** The user who acts, the account, and the session or API token. Nothing is done unless that still exists. */
export type Actor = { userId: number; accountId: number; credential: Credential }

/** Whether a program acts for the user. */
export const isApiClient = ({ credential }: Actor) => typeof credential !== 'string'

type Work<Result> = (tx: Tx, role: Role, account: Account) => Promise<Result>

/** Locks the account, so that roles and requirement stay. Throws NotFound, SecondFactorRequired or SignedOut. */
export const asMember = <Result>(db: Database, actor: Actor, work: Work<Result>) =>
  sessionTransaction(db, actor.credential, async (tx) => {
    // A statement of its own, since everything else must be read after the wait for the lock.
    const [account] = await tx.select().from(accounts).where(eq(accounts.id, actor.accountId)).for('no key update')
    if (!account) throw new NotFound()
    const role = await roleOf(tx, actor)
    await requireSecondFactor(tx, actor, account)
    return work(tx, role, account)
  })

const asMemberWho =
  (may: (role: Role) => boolean) =>
  <Result>(db: Database, actor: Actor, work: Work<Result>) =>
    asMember(db, actor, (tx, role, account) => {
      if (!may(role)) throw new Denied()
      return work(tx, role, account)
    })

/** The same for managers. Throws Denied, too. */
export const asManager = asMemberWho(manages)

/** The same for whoever may change what features keep in the account. Throws Denied, too. */
export const asWriter = asMemberWho(writes)

/** Throws NotFound for others than members. */
async function roleOf(tx: Tx, { userId, accountId }: Actor) {
  const isOwn = and(eq(memberships.accountId, accountId), eq(memberships.userId, userId))
  const [membership] = await tx.select({ role: memberships.role }).from(memberships).where(isOwn)
  if (!membership) throw new NotFound()
  return membership.role
}

/** Throws SecondFactorRequired. Asks the database only where the account has this requirement, which few have. */
export async function requireSecondFactor(db: Database | Tx, { userId, credential }: Actor, account: Account) {
  if (!account.requireSecondFactor) return
  const isSession = typeof credential === 'string'
  const proved = isSession ? sessionHasSecondFactor(sql`${credential}`) : sql`${credential.hasSecondFactor}::boolean`
  const { rows } = await db.execute<{ missing: Requirement | null }>(
    sql`select ${unmetRequirement(sql`true`, sql`${userId}::bigint`, proved)} as missing`,
  )
  const missing = rows[0]?.missing
  if (missing) throw new SecondFactorRequired(missing, account.name)
}

/** What is missing where an account requires a second factor: a set-up, or a proof in this session. */
type Requirement = 'setup' | 'proof'

/** Null if the account is open to the user. `proved` says whether the session or token began with two factors. */
export const unmetRequirement = (
  isRequired: SQLWrapper,
  userId: SQLWrapper,
  proved: SQL,
) => sql<Requirement | null>`case
  when ${isRequired} is not true then null
  when ${hasSecondFactor(userId)} is not true then 'setup'
  when ${proved} is not true then 'proof' end`

/** An authenticator app or a passkey. A scalar subquery, so that Postgres looks up one user and never reads them all. */
export const hasSecondFactor = (userId: SQLWrapper) => sql<boolean>`(
  select who.second_factor_at is not null or exists (select from ${passkeys} own where own.user_id = who.id)
  from ${users} who where who.id = ${userId})`

const twoFactors = '(^passkey|_and_code|_and_recovery_code|_and_trusted_browser)$'

export const hasTwoFactors = (method: SQLWrapper) => sql<boolean>`${method} ~ ${sql.raw(`'${twoFactors}'`)}`

/** The same for a session that was read. */
export const beganWithTwoFactors = ({ method }: { method: string }) => new RegExp(twoFactors).test(method)

export const sessionHasSecondFactor = (token: SQL) =>
  sql`(select ${hasTwoFactors(sql`here.method`)} from ${sessions} here where here.token = ${token})`

export class SecondFactorRequired extends Error {
  readonly missing: Requirement
  readonly accountName: string

  constructor(missing: Requirement, accountName: string) {
    super('the account requires a second factor')
    this.missing = missing
    this.accountName = accountName
  }
}

/** Owners without a second factor would lock themselves out. Throws Invalid. */
export async function checkOwnFactor(db: Database | Tx, userId: number) {
  if ((await db.$count(users, and(eq(users.id, userId), hasSecondFactor(users.id)))) === 0)
    throw new Invalid({ require_second_factor: [text('needs a second factor of your own')] })
}
