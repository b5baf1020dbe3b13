import type { FastifyInstance } from 'fastify'
import type { Account } from '../../drizzle/schema.ts'
import type { SsoConnection } from '../../drizzle/tables/single-sign-on.ts'
import { isStorable } from '../../plugins/database/index.ts'
import { Refused, withMessages } from '../../plugins/forms/index.ts'
import { OptionalText } from '../../plugins/forms/parameters.ts'
import { text } from '../../plugins/languages/index.ts'
import { InvalidResponse } from '../../plugins/openid/failures.ts'
import { providerClientOf } from './connections.ts'
import { discoverIssuer, isIssuer, isSameIssuer, maxChars } from './discovery.ts'
import { stopRequiringFirst } from './owner.ts'

export const connectionFields = {
  issuer: OptionalText,
  client_id: OptionalText,
  client_secret: OptionalText,
}

type Input = { issuer?: string | null; client_id?: string | null; client_secret?: string | null }
export type Checked = { issuer: string; clientId: string; secret: string }

/** What was typed, and what is wrong with it. A blank secret keeps that of the same issuer and client. */
export function checkConnection(input: Input, connection: SsoConnection | undefined, allowPrivate: boolean) {
  const [issuer, clientId, secret] = [input.issuer, input.client_id, input.client_secret].map((each) => each?.trim())
  const checked: Checked = { issuer: issuer ?? '', clientId: clientId ?? '', secret: secret ?? '' }
  const keepsSecret = checked.secret === '' && connection !== undefined && isSameClient(connection, checked)
  const errors = withMessages({
    issuer: messagesFor(checked.issuer, (typed) => isIssuer(typed, allowPrivate)),
    client_id: messagesFor(checked.clientId),
    client_secret: keepsSecret ? [] : messagesFor(checked.secret),
  })
  return { errors, checked }
}

function messagesFor(typed: string, isValid = (_typed: string) => true) {
  if (typed === '') return [text("can't be blank")]
  return isStorable(typed) && typed.length <= maxChars && isValid(typed) ? [] : [text('is invalid')]
}

export const isSameClient = (
  one: Pick<SsoConnection, 'issuer' | 'clientId'>,
  other: Pick<Checked, 'issuer' | 'clientId'>,
) => isSameIssuer(one.issuer, other.issuer) && one.clientId === other.clientId

/** Throws Refused where single sign-on is required and the connection would be another one. */
export function requireReplaceable(account: Account, connection: SsoConnection | undefined, checked: Checked) {
  if (account.requireSingleSignOn && !(connection && isSameClient(connection, checked))) throw stopRequiringFirst()
}

export type Provided = { fetch: typeof globalThis.fetch; allowPrivate: boolean }

/**
 * What was typed, with the issuer as the provider writes it, which also accepts the secret. Throws Invalid or Refused.
 */
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
async function requireAccepted(site: Parameters<typeof providerClientOf>[0], account: Account, checked: Checked) {
  const error = await providerClientOf(site, account, checked)
    .check()
    .catch((error: unknown) => error)
  if (!(error instanceof InvalidResponse) || !refusals.includes(error.reason)) return
  throw new Refused(text('The provider refused the client ID or the secret'))
}

const refusals = ['invalid_client', 'unauthorized_client'] // RFC 6749, 5.2
