import type { FastifyInstance } from 'fastify'
import type { JWTPayload } from 'jose'
import type { Account } from '../../drizzle/schema.ts'
import type { SsoConnection } from '../../drizzle/tables/single-sign-on.ts'
import { Refused } from '../../plugins/forms/index.ts'
import { text } from '../../plugins/languages/index.ts'
import type { ProviderClient } from '../../plugins/openid/client.ts'
import { InvalidResponse } from '../../plugins/openid/failures.ts'
import { openIdClient, type ProviderRules } from '../../plugins/openid/openid.ts'
import { type Checked, requireReplaceable } from './connection-form.ts'
import { type Connected, openSecret } from './connections.ts'
import { discoverIssuer } from './discovery.ts'
import { singleSignOnPaths } from './paths.ts'

const maxClients = 200
const anHourMs = 3_600_000

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

type Entry = { client: ProviderClient; issuer: string; secret: string; expiry: NodeJS.Timeout }

/**
 * Clients of the providers of workspaces, with what they discovered, for an hour. Those that were used least recently
 * go. The row is read for each start and callback, so that a change counts at once in every process.
 */
export function createClients({ sealing, origin, fetch }: Options) {
  const clients = new Map<number, Entry>()

  /** Throws InvalidResponse if the secret can't be read. */
  return ({ account, connection }: Connected) => {
    const { id, issuer } = connection
    const secret = openSecret({ sealing }, connection)
    const cached = clients.get(id)
    if (cached?.secret === secret && cached.issuer === issuer) {
      clients.delete(id)
      clients.set(id, cached)
      return cached.client
    }
    forget(id)
    const client = providerClientOf({ origin, fetch }, account, { ...connection, secret })
    clients.set(id, { client, issuer, secret, expiry: setTimeout(forget, anHourMs, id).unref() })
    const [oldest] = clients.keys()
    if (clients.size > maxClients && oldest !== undefined) forget(oldest)
    return client
  }

  function forget(id: number) {
    clearTimeout(clients.get(id)?.expiry)
    clients.delete(id)
  }
}

type Site = Omit<Options, 'sealing'>

function providerClientOf({ origin, fetch }: Site, { name, slug }: Account, { issuer, clientId, secret }: Checked) {
  const redirectUri = origin + singleSignOnPaths.singleSignOnCallback(slug).url
  const provider = { id: 'sso', name, url: issuer, clientId, clientSecret: secret }
  return openIdClient(provider, rules, { fetch, redirectUri })
}

export type Provided = { fetch: typeof globalThis.fetch; allowPrivate: boolean }

/** What was typed, with the issuer as the provider writes it, which also accepts the secret. Throws Invalid or Refused. */
export async function askProvider(
  { site: { origin } }: FastifyInstance,
  { fetch, allowPrivate }: Provided,
  { account, connection, checked }: { account: Account; connection: SsoConnection | undefined; checked: Checked },
): Promise<Checked> {
  requireReplaceable(account, connection, checked)
  const asked = { ...checked, issuer: await discoverIssuer(fetch, checked.issuer, allowPrivate) }
  if (asked.secret) await requireAccepted({ origin, fetch }, account, asked)
  return asked
}

/**
 * Throws Refused if the provider refuses the id or the secret, as `npm run check -- sso` asks it. Whatever else it says
 * is about the code, which nobody gave us.
 */
async function requireAccepted(site: Site, account: Account, checked: Checked) {
  const error = await providerClientOf(site, account, checked)
    .check()
    .catch((error: unknown) => error)
  if (!(error instanceof InvalidResponse) || !refusals.includes(error.reason)) return
  throw new Refused(text('The provider refused the client ID or the secret'))
}

const refusals = ['invalid_client', 'unauthorized_client'] // RFC 6749, 5.2
