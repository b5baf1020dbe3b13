import { randomBytes } from 'node:crypto'
import type { Account } from '../../drizzle/schema.ts'
import { ssoConnections, ssoDomains, ssoIdentities, ssoPasses } from '../../drizzle/tables/single-sign-on.ts'
import { beginSignIn } from '../../features/auth/sign-in.ts'
import { removeConnection } from '../../features/single-sign-on/connection-changes.ts'
import { bySingleSignOn } from '../../features/single-sign-on/factor.ts'
import { passInSession } from '../../features/single-sign-on/passing.ts'
import { startRequiring } from '../../features/single-sign-on/requirement.ts'
import type { Database } from '../../plugins/database/index.ts'
import { InvalidResponse } from '../../plugins/openid/failures.ts'
import { byDigest } from '../helpers/people.ts'
import type { World } from '../locks/writers.ts'

// What test/locks lets collide.

const random = () => randomBytes(8).toString('hex')
const client = { ipAddress: '203.0.113.7', userAgent: 'a browser', device: undefined }

type Person = { id: number; email: string; tokens: readonly [string, string] }

/** A connection of the workspace to the provider of its domain, by which the last of these people is known. */
export async function connectionOf(
  db: Database,
  account: Account,
  [owner, member]: readonly [Person, Person],
  domain: string,
  now: Date,
) {
  await db.insert(ssoDomains).values({ accountId: account.id, domain, record: random(), verifiedAt: now })
  const provider = { issuer: 'https://login.example.com', clientId: 'id', secret: 'sealed' }
  const [connection] = await db
    .insert(ssoConnections)
    .values({ accountId: account.id, ...provider })
    .returning()
  if (!connection) throw new Error('no connection')
  const subject = random()
  const known = { accountId: account.id, userId: member.id, subject }
  const [identity] = await db.insert(ssoIdentities).values(known).returning()
  const passed = { connectionId: connection.id, passedAt: now }
  const tokens = [...owner.tokens, ...member.tokens]
  await db.insert(ssoPasses).values(tokens.map((sessionToken) => ({ sessionToken, ...passed })))
  const pass = { identityId: identity?.id ?? 0, connectionId: connection.id }
  const profile = {
    ...{ provider: { id: 'oidc', name: 'Acme' }, issuer: provider.issuer, subject, name: 'Ana' },
    ...{ email: member.email, proved: true },
  }
  return { pass, profile, connected: { account, connection } }
}

/** The provider's answer no longer fits: a refusal. */
const refusable = (work: Promise<unknown>) =>
  work.catch((error) => {
    if (!(error instanceof InvalidResponse)) throw error
  })

export const singleSignOnWriters: Record<string, (world: World) => Promise<unknown>> = {
  'single sign-on': ({ app, member, pass }) =>
    refusable(beginSignIn(app, member.id, { client, factor: bySingleSignOn(app), proof: pass })),
  pass: ({ app, member, connected, profile }) => refusable(passInSession(app, member.session, connected, profile)),
  requirement: ({ app, owner, acme, actorAt }) => startRequiring(app, actorAt(acme.id, owner)),
  'end of the connection': ({ app, owner, acme, actorAt }) =>
    removeConnection(app, actorAt(acme.id, owner), byDigest(owner.passwordDigest)),
}
