import type { FastifyInstance } from 'fastify'
import type { Account } from '../../drizzle/schema.ts'
import type { SsoConnection } from '../../drizzle/tables/single-sign-on.ts'
import { OptionalText } from '../../plugins/forms/parameters.ts'
import { requireAccepted } from './clients.ts'
import { type Checked, requireReplaceable } from './connection-form.ts'
import { discoverIssuer } from './discovery.ts'

export const connectionFields = {
  issuer: OptionalText,
  client_id: OptionalText,
  client_secret: OptionalText,
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
