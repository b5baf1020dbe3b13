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

/** What an account that requires a second factor still asks: to set one up, or to prove it in this session. */
export type Missing = 'setup' | 'proof'

/** Null if the account opens. `lacks`: the user has no second factor. `proved`: the session began with two. */
export const missingIn = (isRequired: SQL | typeof accounts.requireSecondFactor, lacks: SQL, proved: SQL) =>
  sql<Missing | null>`case
    when ${isRequired} is not true then null
    when ${lacks} then 'setup'
    when ${proved} is not true then 'proof' end`

/** Whether a session began with two factors. */
export const hasTwoFactors = (method: SQL | typeof sessions.method) =>
  sql<boolean>`${method} ~ '(^passkey|_and_code|_and_recovery_code|_and_trusted_browser)$'`

export const sessionHasSecondFactor = (token: SQL) =>
  sql`(select ${hasTwoFactors(sql`here.method`)} from ${sessions} here where here.token = ${token})`

/** The account asks for a second factor first. Leads there. */
export class SecondFactorRequired extends Error {
  readonly missing: Missing
  readonly accountName: string

  constructor(missing: Missing, accountName: string) {
    super('the account requires a second factor')
    this.missing = missing
    this.accountName = accountName
  }
}

/** Owners without a second factor would lock themselves out first. Throws Invalid. */
export async function checkOwnFactor(db: Database | Tx, userId: number) {
  const [user] = await db
    .select({ lacks: hasNoSecondFactor(sql`${userId}::bigint`) })
    .from(users)
    .where(eq(users.id, userId))
  if (user?.lacks) throw new Invalid({ require_second_factor: [text('needs a second factor of your own')] })
}

/** The accounts of this user that stay closed until they set up a second factor. */
export const accountsAskingForFactor = (db: Database, userId: number) =>
  db
    .select({ name: accounts.name, slug: accounts.slug })
    .from(memberships)
    .innerJoin(accounts, eq(accounts.id, memberships.accountId))
    .where(and(eq(memberships.userId, userId), accounts.requireSecondFactor, hasNoSecondFactor(sql`${userId}::bigint`)))
    .orderBy(asc(accounts.name))
