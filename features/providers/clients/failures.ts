/** An answer that must not be believed. `reason` is for the security log, and has no data of people. */
export class InvalidResponse extends Error {
  readonly reason: string

  constructor(reason: string, options?: ErrorOptions) {
    super(`invalid response of a provider: ${reason}`, options)
    this.reason = reason
  }
}

/** The provider cannot be reached: it is down, refuses connections, takes too long or says so itself. */
export class ProviderUnavailable extends Error {}

/** The person went back at the provider. */
export class Cancelled extends Error {}

/** The failure inside what a library throws. Any other error is an answer that it did not accept. */
export function failureIn(error: unknown): InvalidResponse | ProviderUnavailable {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof InvalidResponse || cause instanceof ProviderUnavailable) return cause
  }
  return new InvalidResponse(reasonIn(error), { cause: error })
}

type Described = { error?: unknown; claim?: unknown; attribute?: unknown; code?: unknown; cause?: unknown }

/** The claim that was wrong, the error that the provider named, or the library's code. */
function reasonIn(error: unknown) {
  let reason = 'invalid'
  for (let at = error as Described | undefined; typeof at === 'object' && at !== null; at = at.cause as Described) {
    if (typeof at.error === 'string' && isWord.test(at.error)) return at.error
    if (typeof at.claim === 'string') return `claim_${at.claim}`
    if (typeof at.attribute === 'string') return `attribute_${at.attribute}`
    if (typeof at.code === 'string' && isCode.test(at.code)) reason = at.code.toLowerCase()
  }
  return reason
}

// Whoever wrote it, neither a sentence nor a token reaches the log.
const isWord = /^[a-z_]{1,40}$/
const isCode = /^[A-Z_]{1,60}$/
