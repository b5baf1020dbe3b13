import type { FastifyInstance } from 'fastify'
import type { JWTPayload } from 'jose'
import type { Account } from '../../drizzle/schema.ts'
import type { SsoConnection } from '../../drizzle/tables/single-sign-on.ts'
import type { ProviderClient } from '../../plugins/openid/client.ts'
import { openIdClient, type ProviderRules } from '../../plugins/openid/openid.ts'
import { type Connected, openSecret } from './connections.ts'
import { singleSignOnPaths } from './paths.ts'

const maxClients = 200

/** Most providers of companies say nothing about addresses, which their administrators write. */
const rules: ProviderRules = {
  isEmailVerified: ({ email_verified: claim }: JWTPayload) => claim === true || claim === 'true' || claim === undefined,
  wanted: ['email', 'email_verified', 'name'],
  secretIn: 'header',
}

type Options = Pick<FastifyInstance, 'sealing'> & { origin: string; fetch: typeof globalThis.fetch }

/** In the cookie of starts, which belong to a workspace and its connection. */
export const labelOf = ({ id, accountId }: Pick<SsoConnection, 'id' | 'accountId'>) => `sso:${accountId}:${id}`

export type Clients = ReturnType<typeof createClients>

/**
 * Clients of the providers of workspaces, with what they discovered. Those that were used least recently go. The row is
 * read for each start and callback, so that a change counts at once in every process.
 */
export function createClients({ sealing, origin, fetch }: Options) {
  const clients = new Map<number, { client: ProviderClient; issuer: string; secret: string }>()

  /** Throws InvalidResponse if the secret can't be read. */
  return ({ account, connection }: Connected) => {
    const { id, issuer } = connection
    const secret = openSecret({ sealing }, connection)
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

type Client = { issuer: string; clientId: string; secret: string }

export function providerClientOf(
  { origin, fetch }: Omit<Options, 'sealing'>,
  { name, slug }: Account,
  { issuer, clientId, secret }: Client,
) {
  const redirectUri = origin + singleSignOnPaths.singleSignOnCallback(slug).url
  const provider = { id: 'sso', name, url: issuer, clientId, clientSecret: secret }
  return openIdClient(provider, rules, { fetch, redirectUri })
}
