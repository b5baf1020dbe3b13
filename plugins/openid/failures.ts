import { Refused } from '../forms/index.ts'
import type { Text } from '../languages/index.ts'

/** An invalid answer. `reason` is for the security log, and contains no personal data. */
export class InvalidResponse extends Error {
  readonly reason: string

  constructor(reason: string, options?: ErrorOptions) {
    super(`invalid response of a provider: ${reason}`, options)
    this.reason = reason
  }
}

/** The provider is down, refuses connections, times out or says so itself. */
export class ProviderUnavailable extends Error {
  /** What operators need to know. Nobody else learns it: it would tell what there is in our network. */
  get reason() {
    for (let cause: unknown = this.cause; cause instanceof Error; cause = cause.cause) {
      const { name, code } = cause as NodeJS.ErrnoException
      const word = typeof code === 'string' ? code : name // that of a time-out is a number
      const found = Object.entries(reasons).find(([, isMeant]) => isMeant.test(word))
      if (found) return found[0]
    }
    return this.cause ? 'unreachable' : this.message.replaceAll(' ', '_') // such as `it answers 503`
  }
}

const reasons = {
  private_address: /^ForbiddenUrl$/,
  late: /TIMEDOUT|_TIMEOUT$|^TimeoutError$|^ETIMEOUT$/,
  dns: /^(ENOTFOUND|ENODATA|ESERVFAIL|EAI_AGAIN|EREFUSED|EBADNAME|EBADRESP)$/,
  refused: /^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|EPIPE|UND_ERR_SOCKET)$/,
  tls: /CERT|^ERR_(TLS|SSL)|^EPROTO$|^UNABLE_TO/,
}

/** The provider vouches for somebody whom we do not let in. `code` is for the security log. */
export class Rejected extends Refused {
  readonly code: string

  constructor(code: string, reason: Text) {
    super(reason)
    this.code = code
  }
}

/** Of a way to a provider and back, as the security log calls them. */
export const outcomes = [
  'refused',
  'cancelled',
  'unreachable',
  'right',
  'unknown',
  'connected',
  'disconnected',
] as const
export type Outcome = (typeof outcomes)[number]

/** `reason` is for the security log, `alert` for people if there is one of its own. */
export type Failure = {
  outcome: Extract<Outcome, 'cancelled' | 'refused' | 'unreachable'>
  reason?: string
  alert?: Text
}

/** Throws errors that are not about a provider. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Rejected) return { outcome: 'refused', reason: error.code, alert: error.reason }
  if (error instanceof InvalidResponse) return { outcome: 'refused', reason: error.reason }
  if (error instanceof ProviderUnavailable) return { outcome: 'unreachable', reason: error.reason }
  throw error
}

/** For `npm run check`: what a provider says to our id and secret, in words. `help` is what to do, by what failed. */
export const accepted = (check: () => Promise<unknown>, help: Record<string, string> = {}) =>
  check().catch((error) => {
    if (error instanceof InvalidResponse) throw new Error(`it says ${error.reason}`)
    const reason = error instanceof ProviderUnavailable ? error.reason : 'unreachable'
    throw new Error(`it cannot be reached (${reason})${help[reason] ? `: ${help[reason]}` : ''}`)
  })

/** The failure inside an error of a library. Any other error is an invalid response. */
export function failureIn(error: unknown): InvalidResponse | ProviderUnavailable {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof InvalidResponse || cause instanceof ProviderUnavailable) return cause
  }
  return new InvalidResponse(reasonIn(error), { cause: error })
}

type Described = Partial<Record<'error' | 'claim' | 'attribute' | 'code' | 'cause', unknown>> & {
  body?: { error?: unknown } // GitHub reports errors with status 200
}

function reasonIn(error: unknown) {
  let reason = 'invalid'
  for (let at = error as Described | undefined; typeof at === 'object' && at !== null; at = at.cause as Described) {
    const { error: word = at.body?.error } = at
    if (typeof word === 'string' && isWord.test(word)) return word
    if (typeof at.claim === 'string') return `claim_${at.claim}`
    if (typeof at.attribute === 'string') return `attribute_${at.attribute}`
    if (typeof at.code === 'string' && isCode.test(at.code)) reason = at.code.toLowerCase()
  }
  return reason
}

// So that neither sentences nor tokens reach the log.
const isWord = /^[a-z_]{1,40}$/
const isCode = /^[A-Z_]{1,60}$/
