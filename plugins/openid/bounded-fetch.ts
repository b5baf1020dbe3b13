import { InvalidResponse, ProviderUnavailable } from './failures.ts'

export type Fetch = typeof globalThis.fetch

export type Members = Record<string, unknown>

export type Bounds = {
  maxBytes: number
  /** What is kept of a JSON object. Without it, answers are handed on as they are. */
  pick?(answer: Members): Members
}

const timeoutMs = 5_000
const maxPieces = 2_000

/** Five seconds for each request, names and the last byte included. Throws ProviderUnavailable or InvalidResponse. */
export const boundedBy =
  (fetch: Fetch, { maxBytes, pick }: Bounds): Fetch =>
  async (url, options = {}) => {
    const headers = new Headers(options.headers)
    headers.set('accept-encoding', 'identity')
    const signal = AbortSignal.timeout(timeoutMs)
    const asked = { ...options, headers: Object.fromEntries(headers), redirect: 'manual', signal } as const
    const { status, body } = await fetch(url, asked)
      .then((response) => readAnswer(response, maxBytes))
      .catch((error) => {
        if (error instanceof ProviderUnavailable || error instanceof InvalidResponse) throw error
        throw new ProviderUnavailable('no answer', { cause: error })
      })
    return answerOf(status, pick ? pickedFrom(body, pick) : body)
  }

async function readAnswer({ status, headers, body }: Response, maxBytes: number) {
  // A few kilobytes can be inflated for ever without a byte that we would count.
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (status >= 500 || encoding !== 'identity') {
    await body?.cancel()
    throw status >= 500 ? new ProviderUnavailable(`it answers ${status}`) : new InvalidResponse('compressed')
  }
  return { status, body: await readAll(body, maxBytes) }
}

async function readAll(body: Response['body'], maxBytes: number) {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body ?? []) {
    bytes += piece.length
    pieces.push(piece)
    // Which also cancels the body. A byte in each piece costs a hundred times as much as its bytes.
    if (bytes > maxBytes || pieces.length > maxPieces) throw new InvalidResponse('too_large')
  }
  return Buffer.concat(pieces).toString()
}

/** Undefined if it is no JSON object. */
function pickedFrom(body: string, pick: NonNullable<Bounds['pick']>) {
  let answer: unknown
  try {
    answer = JSON.parse(body)
  } catch {
    return undefined
  }
  return typeof answer === 'object' && answer !== null ? JSON.stringify(pick(answer as Members)) : undefined
}

/** Without the headers, of which a challenge (RFC 9110, 11.6.1) would hide from the library what the body says. */
function answerOf(status: number, body: string | undefined) {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' }
  return new Response(status === 204 || status === 304 ? null : (body ?? ''), { status, headers })
}
