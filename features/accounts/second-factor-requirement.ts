import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { accounts, memberships, passkeys, sessions, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { Invalid } from '../../plugins/forms/index.ts'
import { text } from '../../plugins/languages/index.ts'

/** Whether a password alone would be enough to sign in: no authenticator app and no passkey. */
export const hasNoSecondFactor = (userId: SQL) => sql<boolean>`not exists (
  select from ${users} who where who.id = ${userId}
  and (who.second_factor_at is not null or exists (select from ${passkeys} own where own.user_id = who.id)))`

/** The opposite, for a query that reads users anyway: as a subquery on users it would read the whole table. */
export const hasFactor = sql<boolean>`(${users.secondFactorAt} is not null
  or exists (select from ${passkeys} own where own.user_id = ${users.id}))`

/** What is missing where an account requires a second factor: a set-up, or a proof in this session. */
export type Missing = 'setup' | 'proof'

/** Null if the account is open to the session. */
export const missingIn = (isRequired: SQL | typeof accounts.requireSecondFactor, lacks: SQL, proved: SQL) =>
  sql<Missing | null>`case
    when ${isRequired} is not true then null
    when ${lacks} then 'setup'
    when ${proved} is not true then 'proof' end`

export const hasTwoFactors = (method: SQL | typeof sessions.method) =>
  sql<boolean>`${method} ~ '(^passkey|_and_code|_and_recovery_code|_and_trusted_browser)$'`

export const sessionHasSecondFactor = (token: SQL) =>
  sql`(select ${hasTwoFactors(sql`here.method`)} from ${sessions} here where here.token = ${token})`

/** Redirects to where the second factor is set up or proved. */
export class SecondFactorRequired extends Error {
  readonly missing: Missing
  readonly accountName: string

  constructor(missing: Missing, accountName: string) {
    super('the account requires a second factor')
    this.missing = missing
    this.accountName = accountName
  }
}

/** Owners without a second factor would lock themselves out. Throws Invalid. */
export async function checkOwnFactor(db: Database | Tx, userId: number) {
  const [user] = await db
    .select({ lacks: hasNoSecondFactor(sql`${userId}::bigint`) })
    .from(users)
    .where(eq(users.id, userId))
  if (user?.lacks) throw new Invalid({ require_second_factor: [text('needs a second factor of your own')] })
}

export const accountsAskingForFactor = (db: Database, userId: number) =>
  db
    .select({ name: accounts.name, slug: accounts.slug })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(and(eq(memberships.userId, userId), accounts.requireSecondFactor, hasNoSecondFactor(sql`${userId}::bigint`)))
    .orderBy(asc(accounts.name))
