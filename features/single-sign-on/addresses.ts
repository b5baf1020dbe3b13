import type { Account, User } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { text } from '../../plugins/languages/index.ts'
import type { ProviderProfile } from '../../plugins/openid/client.ts'
import { Rejected } from '../../plugins/openid/failures.ts'
import type { Connected } from './connections.ts'
import { domainOf } from './domain-names.ts'
import { isAtDomainOf } from './email-domains.ts'

/** A user counts while their own verified address is at a verified domain of the workspace. Throws Rejected. */
export async function requireAddressAt(tx: Tx, account: Account, { email, verified }: User) {
  if (verified && (await isAtDomainOf(tx, account.id, email))) return
  // The address is not told: the owner of the workspace runs the provider, and may sign in as somebody who left.
  const reason = text("Your address here isn't at a domain of {name}", { name: account.name })
  throw new Rejected('foreign_address', reason)
}

const google = 'https://accounts.google.com'

/** The address that the provider of the workspace vouches for. Throws Rejected. */
export async function vouchedAddress(db: Database | Tx, { account, connection }: Connected, profile: ProviderProfile) {
  const { email, proved, hostedDomain } = profile
  if (!email || !proved) throw new Rejected('no_address', text('Your provider vouches for no address'))
  // Anybody can have an account at Google with an address elsewhere, for which only `hd` vouches.
  const isHosted = connection.issuer !== google || hostedDomain === domainOf(email)
  if (isHosted && (await isAtDomainOf(db, account.id, email))) return email
  const reason = text("{address} doesn't belong to {name}", { address: email, name: account.name })
  throw new Rejected('foreign_address', reason)
}
