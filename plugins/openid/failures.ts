/** An invalid answer. `reason` is for the security log, and contains no personal data. */
export class InvalidResponse extends Error {
  readonly reason: string

  constructor(reason: string, options?: ErrorOptions) {
    super(`invalid response of a provider: ${reason}`, options)
    this.reason = reason
  }
}

/** The provider is down, refuses connections, times out or says so itself. */
export class ProviderUnavailable extends Error {}

export class Cancelled extends Error {}

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

type Fetch = typeof globalThis.fetch

const timeoutMs = 5_000
const maxBytes = 1_048_576

/** Five seconds for each request, and at most 1 MiB. Throws ProviderUnavailable or InvalidResponse. */
export const boundedBy =
  (fetch: Fetch): Fetch =>
  async (url, options = {}) => {
    try {
      const signal = AbortSignal.timeout(timeoutMs) // until the last byte of the body
      const response = await fetch(url, { ...options, redirect: 'manual', signal })
      const body = await readAll(response)
      if (response.status >= 500) throw new ProviderUnavailable(`it answers ${response.status}`)
      const { status, headers } = response
      return new Response(status === 204 || status === 304 ? null : body, { status, headers })
    } catch (error) {
      if (error instanceof ProviderUnavailable || error instanceof InvalidResponse) throw error
      throw new ProviderUnavailable('no answer', { cause: error })
    }
  }

async function readAll({ body }: Response) {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new InvalidResponse('too_large') // which also cancels the body
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
