import { and, eq, isNotNull } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type User, users } from '../../drizzle/schema.ts'
import { ssoIdentities } from '../../drizzle/tables/single-sign-on.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { Invalid } from '../../plugins/forms/index.ts'
import type { Client } from '../../plugins/http/request.ts'
import { text } from '../../plugins/languages/index.ts'
import type { ProviderProfile } from '../../plugins/openid/client.ts'
import { InvalidResponse, Rejected } from '../../plugins/openid/failures.ts'
import { sessionTransaction } from '../../plugins/security/session-transaction.ts'
import { nameMessages } from '../auth/checks.ts'
import type { Session } from '../auth/reauthentication/index.ts'
import { renewToken } from '../auth/sessions.ts'
import { createUser } from '../auth/sign-up.ts'
import { requireVerifiedAddressAtDomainOf, trustedEmail } from './addresses.ts'
import { type Connected, lockWorkspaceOf } from './connections.ts'
import { domainOf } from './domain-names.ts'
import { recordPass } from './factor.ts'
import { connect, type Joining, join, recognize } from './identities.ts'
import { isStillVerified } from './records.ts'

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
    await lockWorkspaceOf(tx, connected)
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

/** Passes the connection in a session, which gets a new token. An identity that is nobody's is connected first. */
export function passInSession(
  app: FastifyInstance,
  { userId, token }: Session,
  connected: Connected,
  profile: ProviderProfile,
) {
  const { account, connection } = connected
  return sessionTransaction(
    app.db,
    token,
    async (tx) => {
      await lockWorkspaceOf(tx, connected)
      const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
      if (!user) throw new InvalidResponse('changed_meanwhile')
      const known = await recognize(tx, account.id, profile.subject)
      if (known && known.userId !== userId) throw isAnother()
      if (known) await requireVerifiedAddressAtDomainOf(tx, account, user)
      else await requireOwn(app, tx, connected, user, profile)

      const { id: identityId, joining } = known
        ? { id: known.id, joining: await join(app, tx, account, user, { isFirst: false }) }
        : await connect(app, tx, account, user, profile)
      const renewed = await renewToken(tx, { userId, token })
      await recordPass(tx, app.now(), renewed, { identityId, connectionId: connection.id })
      return { token: renewed, joining, isNew: !known }
    },
    { workLocksSession: true },
  )
}

const isAnother = () => new Rejected('another_user', text('Your provider knows somebody else'))

/** For an identity that is nobody's: the address must be that of this user. Throws Rejected. */
async function requireOwn(
  { site }: FastifyInstance,
  tx: Tx,
  connected: Connected,
  user: User,
  profile: ProviderProfile,
) {
  if (user.email === site.demoEmail) throw new Rejected('demo_user', text('The demo user connects nothing'))
  const address = await trustedEmail(tx, connected, profile)
  if (address !== user.email) throw isAnother()
  if (!user.verified) throw new Rejected('unverified_address', text('Verify your email first'))
  const isConnected = and(
    eq(ssoIdentities.accountId, connected.account.id),
    eq(ssoIdentities.userId, user.id),
    isNotNull(ssoIdentities.subject),
  )
  if ((await tx.$count(ssoIdentities, isConnected)) > 0)
    throw new Rejected('another_subject', text('{address} is connected to another person there', { address }))
}
