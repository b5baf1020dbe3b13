import { type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, bigint, boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { id, timestamptz } from './columns.ts'
import { ofUser } from './users.ts'

export type FirstFactor = 'password' | 'email_code' | 'sso' | 'provider' | 'passkey'
/** What followed the first factor. */
export type SecondStep = 'code' | 'recovery_code' | 'trusted_browser'

/**
 * The token is the id in URLs and pages. The cookie adds a signature, so the token alone gives no access. `provider` is
 * the id of the provider that was the first factor. A passkey counts as two factors by itself. `method` says the same
 * for the version before: a trigger keeps it equal, whichever is written. Of rows from before the columns it alone is
 * right, until the job `backfill` has run. Dropped one version later. `twoFactorsSince` is when the authenticator app or
 * the passkey was set up that makes it two factors. Null with one, and in rows of the version before.
 */
export const sessions = pgTable(
  'sessions',
  {
    token: text().primaryKey(),
    userId: ofUser().notNull(),
    userAgent: text().notNull(),
    ipAddress: text().notNull(),
    method: text().notNull().default('password'),
    firstFactor: text().$type<FirstFactor>().notNull().default('password'),
    provider: text(),
    secondFactor: text().$type<SecondStep>(),
    twoFactorsSince: timestamptz(),
    createdAt: timestamptz().notNull().defaultNow(),
    lastSeenAt: timestamptz().notNull().defaultNow(),
  },
  (table) => [
    index().on(table.userId, table.createdAt),
    index().on(table.lastSeenAt), // these two for the sweeper
    index().on(table.createdAt),
    index('sessions_without_factors').on(table.token).where(withoutFactors(table)),
  ],
)

/** Whether the row is from before the columns. */
function withoutFactors(columns: Record<'method' | 'firstFactor' | 'secondFactor', AnyPgColumn>) {
  const { method, firstFactor, secondFactor } = columns
  return sql`${method} <> 'password' and ${firstFactor} = 'password' and ${secondFactor} is null`
}
export const isWithoutFactors = withoutFactors(sessions)

const second = sql`'_and_(code|recovery_code|trusted_browser)$'`
const first = sql`regexp_replace(${sessions.method}, ${second}, '')`
const either = (inMethod: SQL, column: AnyPgColumn) =>
  sql`case when ${isWithoutFactors} then ${inMethod} else ${column} end`

/** How sessions began, also those from before the columns. Goes with `method`. */
export const sessionFactors = {
  firstFactor: either(sql`split_part(${first}, ':', 1)`, sessions.firstFactor).mapWith(sessions.firstFactor),
  provider: either(sql`substring(${first} from '^provider:(.*)$')`, sessions.provider).mapWith(sessions.provider),
  secondFactor: either(sql`substring(${sessions.method} from ${second})`, sessions.secondFactor).mapWith(
    sessions.secondFactor,
  ),
}

/** How a session began. */
export type SessionFactors = {
  firstFactor: FirstFactor
  provider?: string | null
  secondFactor?: SecondStep | null
  twoFactorsSince?: Date | null
}

/**
 * Browsers that need no second step until `expiresAt`. `device` is the digest of what their device cookie holds.
 * `twoFactorsSince` is that of the second step in which the browser was trusted.
 */
export const trustedBrowsers = pgTable(
  'trusted_browsers',
  {
    userId: ofUser().notNull(),
    device: text().notNull(),
    twoFactorsSince: timestamptz(),
    expiresAt: timestamptz().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.device] }),
    index().on(table.device),
    index().on(table.expiresAt),
  ],
)

/**
 * Codes by mail, from when they are asked for. The browser that asked knows the id. User, `state` (what the code
 * depends on) and the keyed digest are written when the mail is sent, and never for an address that nobody has.
 */
export const mailCodes = pgTable(
  'mail_codes',
  {
    id: uuid().primaryKey(),
    userId: ofUser(),
    state: text(),
    digest: text(),
    tries: integer().notNull().default(0),
    expiresAt: timestamptz().notNull(),
  },
  (table) => [index().on(table.userId), index().on(table.expiresAt)],
)

export const tokenScopes = ['read', 'write'] as const

/**
 * Tokens of the API. Stores only the digest. `hasSecondFactor` says whether the session in which it was created began
 * with two factors, `twoFactorsSince` what the session had of it, and `passedConnections` which single sign-on it had
 * passed.
 */
export const apiTokens = pgTable(
  'api_tokens',
  {
    id: id(),
    userId: ofUser().notNull(),
    name: text().notNull(),
    scope: text({ enum: tokenScopes }).notNull(),
    digest: text().notNull().unique(),
    hasSecondFactor: boolean().notNull(),
    twoFactorsSince: timestamptz(),
    passedConnections: bigint({ mode: 'number' }).array().notNull().default(sql`'{}'`),
    createdAt: timestamptz().notNull().defaultNow(),
    expiresAt: timestamptz().notNull(),
    /** When the mail about its end was queued, or a successor made it needless. */
    expiryMailedAt: timestamptz(),
    lastUsedAt: timestamptz(),
  },
  (table) => [index().on(table.userId, table.id), index().on(table.expiresAt)],
)
export type ApiToken = typeof apiTokens.$inferSelect
