import { and, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type Account, accounts } from '../../drizzle/schema.ts'
import { type SsoConnection, ssoConnections, ssoDomains } from '../../drizzle/tables/single-sign-on.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import type { ProviderClient } from '../../plugins/openid/client.ts'
import { InvalidResponse } from '../../plugins/openid/failures.ts'
import { openIdClient, type ProviderRules } from '../../plugins/openid/openid.ts'
import { singleSignOnPaths } from './paths.ts'

// The connection of a workspace with its provider: where it is found, the client that speaks to the provider, and how
// the last ways there went.

export const connectionOf = async (db: Database | Tx, accountId: number) =>
  (await db.select().from(ssoConnections).where(eq(ssoConnections.accountId, accountId)))[0]

export type Connected = { account: Account; connection: SsoConnection }

/** The account with this slug and its connection, if it has one. */
export const connectionAt = async (db: Database, slug: string) =>
  /^[a-z0-9-]{3,40}$/.test(slug) ? findConnected(db, eq(accounts.slug, slug)) : undefined

/** The same of the account that has verified a domain. */
export function connectionFor(db: Database, domain: string) {
  const isVerified = and(eq(ssoDomains.domain, domain), isNotNull(ssoDomains.verifiedAt))
  const ids = db.select({ id: ssoDomains.accountId }).from(ssoDomains).where(isVerified)
  return findConnected(db, inArray(accounts.id, ids))
}

async function findConnected(db: Database, which: SQL): Promise<Connected | undefined> {
  const [connected] = await db
    .select({ account: accounts, connection: ssoConnections })
    .from(accounts)
    .innerJoin(ssoConnections, eq(ssoConnections.accountId, accounts.id))
    .where(which)
  return connected
}

/** Locks the workspace, which whoever changes the connection does. Throws InvalidResponse if they were faster. */
export async function lockWorkspaceOf(tx: Tx, { account, connection }: Connected) {
  await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, account.id)).for('no key update')
  if ((await tx.$count(ssoConnections, eq(ssoConnections.id, connection.id))) === 0)
    throw new InvalidResponse('changed_meanwhile')
}

export const secretOwner = (accountId: number) => `sso ${accountId}`

const maxClients = 200

/** Most providers of companies say nothing about addresses, which their administrators write. */
const rules: ProviderRules = {
  isEmailVerified: ({ email_verified: claim }) => claim === true || claim === 'true' || claim === undefined,
  wanted: ['email', 'email_verified', 'name'],
  secretIn: 'header',
}

type Options = Pick<FastifyInstance, 'sealing'> & { origin: string; fetch: typeof globalThis.fetch }

export type Clients = ReturnType<typeof createClients>

/**
 * Clients of the providers of workspaces, with what they discovered. Those that were used least recently go. The row is
 * read for each start and callback, so that a change counts at once in every process.
 */
export function createClients({ sealing, origin, fetch }: Options) {
  const clients = new Map<number, { client: ProviderClient; issuer: string; secret: string }>()

  /** Throws InvalidResponse if the secret was sealed under a SECRET_KEY_BASE that is lost. */
  return ({ account, connection }: Connected) => {
    const { id, issuer } = connection
    const secret = sealing.open(connection.secret, secretOwner(account.id))
    if (secret === undefined) throw new InvalidResponse('secret_unreadable')
    const cached = clients.get(id)
    const isCurrent = cached?.secret === secret && cached.issuer === issuer
    const client = isCurrent ? cached.client : providerClientOf({ origin, fetch }, account, { ...connection, secret })
    clients.delete(id) // so that it comes last
    clients.set(id, { client, issuer, secret })
    const [oldest] = clients.keys()
    if (clients.size > maxClients && oldest !== undefined) clients.delete(oldest)
    return client
  }
}

export function providerClientOf(
  { origin, fetch }: Omit<Options, 'sealing'>,
  { name, slug }: Account,
  { issuer, clientId, secret }: Pick<SsoConnection, 'issuer' | 'clientId' | 'secret'>,
) {
  const redirectUri = origin + singleSignOnPaths.singleSignOnCallback(slug).url
  const provider = { id: 'sso', name, url: issuer, clientId, clientSecret: secret }
  return openIdClient(provider, rules, { fetch, redirectUri })
}

export const noFailure = { failureAt: null, failureReason: null, failureCount: 0 }

/** Once people came back from the provider. The secret is sealed anew if it was with an older key. */
export async function recordSuccess({ db, now, sealing }: FastifyInstance, connection: SsoConnection) {
  const { id, accountId, secret } = connection
  const renewed = sealing.renew(secret, secretOwner(accountId))
  const success = { usedAt: now(), ...noFailure, secret: renewed }
  // Another secret, which somebody saved meanwhile, stays, and has not succeeded.
  const isSame = and(eq(ssoConnections.id, id), eq(ssoConnections.secret, secret))
  await db.update(ssoConnections).set(success).where(isSame)
}

export const recordFailure = ({ db, now }: FastifyInstance, { id }: SsoConnection, failureReason: string) =>
  db
    .update(ssoConnections)
    .set({ failureAt: now(), failureReason, failureCount: sql`${ssoConnections.failureCount} + 1` })
    .where(eq(ssoConnections.id, id))
