import { type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, index, pgTable, text } from 'drizzle-orm/pg-core'
import { timestamptz } from './columns.ts'
import { ofUser } from './users.ts'

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
    firstFactor: text().notNull().default('password'),
    provider: text(),
    secondFactor: text(),
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
  firstFactor: string
  provider?: string | null
  /** What followed the first factor. */
  secondFactor?: string | null
  twoFactorsSince?: Date | null
}
