import { and, eq, isNotNull, type SQLWrapper, sql } from 'drizzle-orm'
import type { Account, User } from '../../drizzle/schema.ts'
import { ssoDomains } from '../../drizzle/tables/single-sign-on.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { text } from '../../plugins/languages/index.ts'
import type { ProviderProfile } from '../../plugins/openid/client.ts'
import { Rejected } from '../../plugins/openid/failures.ts'
import type { Connected } from './connections.ts'
import { domainOf } from './domain-names.ts'

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

/** A user counts while their own verified address is at a verified domain of the workspace. Throws Rejected. */
export async function requireVerifiedAddressAtDomainOf(tx: Tx, account: Account, { email, verified }: User) {
  if (verified && (await isAtDomainOf(tx, account.id, email))) return
  // The address is not told: the owner of the workspace runs the provider, and may sign in as somebody who left.
  const reason = text("Your address here isn't at a domain of {name}", { name: account.name })
  throw new Rejected('foreign_address', reason)
}

const google = 'https://accounts.google.com'

/** The address that the provider of the workspace vouches for. Throws Rejected. */
export async function trustedEmail(db: Database | Tx, { account, connection }: Connected, profile: ProviderProfile) {
  const { email, proved, hostedDomain } = profile
  if (!email || !proved) throw new Rejected('no_address', text('Your provider vouches for no address'))
  // Anybody can have an account at Google with an address elsewhere, for which only `hd` vouches.
  const isHosted = connection.issuer !== google || hostedDomain === domainOf(email)
  if (isHosted && (await isAtDomainOf(db, account.id, email))) return email
  const reason = text("{address} doesn't belong to {name}", { address: email, name: account.name })
  throw new Rejected('foreign_address', reason)
}
