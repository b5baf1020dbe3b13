import { and, eq, isNotNull, type SQLWrapper, sql } from 'drizzle-orm'
import { ssoDomains } from '../../drizzle/tables/single-sign-on.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'

/** The domain of an address, which is ASCII, so that it is written as domains of accounts are. */
export const domainOfEmail = (email: SQLWrapper) => sql<string>`split_part(${email}, '@', 2)`

/** Whether an address is at a verified domain of the account. A subdomain is another domain. */
export const isAtVerifiedDomain = (accountId: SQLWrapper, email: SQLWrapper) =>
  sql<boolean>`exists (select from ${ssoDomains} where ${and(
    sql`${ssoDomains.accountId} = ${accountId}`,
    isNotNull(ssoDomains.verifiedAt),
    eq(ssoDomains.domain, domainOfEmail(email)),
  )})`

/** The same for a known address. */
export async function isAtDomainOf(db: Database | Tx, accountId: number, email: string) {
  const { rows } = await db.execute<{ at: boolean }>(
    sql`select ${isAtVerifiedDomain(sql`${accountId}::bigint`, sql`${email}::text`)} as at`,
  )
  return rows[0]?.at === true
}
