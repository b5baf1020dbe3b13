import type { FastifyInstance } from 'fastify'
import type { User } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { Invalid } from '../../plugins/forms/index.ts'
import type { Client } from '../../plugins/http/request.ts'
import { text } from '../../plugins/languages/index.ts'
import type { ProviderProfile } from '../../plugins/openid/client.ts'
import { InvalidResponse, Rejected } from '../../plugins/openid/failures.ts'
import { nameMessages } from '../auth/checks.ts'
import { createUser } from '../auth/sign-up.ts'
import { trustedEmail } from './addresses.ts'
import type { Connected } from './connections.ts'
import { domainOf } from './domain-names.ts'
import { isStillVerified } from './domains.ts'
import { connect, type Joining } from './identities.ts'
import { lockConnected, recordPass } from './passes.ts'

/**
 * Signs up whom the provider vouches for, or gives them the place of a user who never verified the address. Throws
 * Rejected if the domain is not theirs any more, and InvalidResponse if somebody was faster.
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
  if (!(await isStillVerified(app, account.id, domain)))
    throw new Rejected('domain_unverified', text('{domain} is not verified any more', { domain }))

  const name =
    profile.name && nameMessages(profile.name).length === 0 ? profile.name : email.slice(0, email.indexOf('@'))
  let joining = 'unchanged' as Joining
  async function onCreated(tx: Tx, user: User, now: Date, token: string) {
    await lockConnected(tx, connected)
    await trustedEmail(tx, connected, profile) // the domain may be gone by now
    const identity = await connect(app, tx, account, user, profile)
    joining = identity.joining
    await recordPass(tx, now, token, { identityId: identity.id, connectionId: connection.id })
  }
  const person = { name, email, language, passwordDigest: null, isVerified: true, openedBySelf: false }
  const signedUp = await createUser(
    app,
    { ...person, factors: { firstFactor: 'sso' }, lockAccountId: account.id, onCreated },
    client,
  ).catch((error) => {
    // They signed up elsewhere meanwhile.
    throw error instanceof Invalid ? new InvalidResponse('changed_meanwhile') : error
  })
  return { ...signedUp, joining }
}
