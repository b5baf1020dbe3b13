import { Invalid } from '../../plugins/forms/index.ts'
import { isLoopback } from '../../plugins/http/guarded-fetch.ts'
import { currentRequest } from '../../plugins/http/request.ts'
import { text } from '../../plugins/languages/index.ts'
import { boundedBy, documentBounds } from '../../plugins/openid/bounds.ts'
import { ProviderUnavailable } from '../../plugins/openid/failures.ts'

/** Of an issuer, a client ID or a secret. */
export const maxChars = 500

/** Whether tokens and secrets may be sent there: by https, or where the operator allows it, to this machine. */
const isSafe = (url: URL, allowPrivate: boolean) =>
  url.protocol === 'https:' || (allowPrivate && url.protocol === 'http:' && isLoopback(hostOf(url)))

const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')

/** Whether it can be the issuer of a provider (OpenID Connect Discovery 1.0, 2). */
export function isIssuer(typed: string, allowPrivate: boolean) {
  const url = URL.parse(typed)
  if (!url || /[?#\s]/.test(typed)) return false
  return isSafe(url, allowPrivate) && url.username === '' && url.password === ''
}

/** Issuers are the same with and without a slash at the end, which people leave out and providers write. */
export const isSameIssuer = (one: string, other: string) => bare(one) === bare(other)
const bare = (issuer: string) => (URL.parse(issuer)?.href ?? issuer).replace(/\/$/, '')

/** The issuer as the provider itself writes it. Throws Invalid if no provider is there. */
export async function discoverIssuer(fetch: typeof globalThis.fetch, issuer: string, allowPrivate: boolean) {
  const document = await fetchDocument(fetch, `${bare(issuer)}/.well-known/openid-configuration`)
  const written = document?.issuer
  const endpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'].map((name) => document?.[name])
  const { userinfo_endpoint: userinfo } = document ?? {}
  const isProvider =
    typeof written === 'string' &&
    isIssuer(written, allowPrivate) &&
    isSameIssuer(written, issuer) &&
    [...endpoints, ...(userinfo === undefined ? [] : [userinfo])].every((each) => isEndpoint(each, allowPrivate))
  if (!isProvider) throw new Invalid({ issuer: [text('is not an OpenID provider')] })
  if (written.length > maxChars) throw new Invalid({ issuer: [text('is invalid')] })
  return written
}

function isEndpoint(given: unknown, allowPrivate: boolean) {
  const url = typeof given === 'string' ? URL.parse(given) : null
  return url !== null && isSafe(url, allowPrivate)
}

/** Undefined if it is no JSON. Throws Invalid without an answer. */
async function fetchDocument(fetch: typeof globalThis.fetch, url: string) {
  try {
    const response = await boundedBy(fetch, documentBounds)(url, { headers: { accept: 'application/json' } })
    if (response.status !== 200) return undefined
    const document: unknown = await response.json()
    return typeof document === 'object' && document !== null ? (document as Record<string, unknown>) : undefined
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) return undefined
    currentRequest()?.security('sso', 'unreachable', { reason: error.reason })
    throw new Invalid({ issuer: [text("can't be reached")] })
  }
}
