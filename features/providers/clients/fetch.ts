import { InvalidResponse, ProviderUnavailable } from './failures.ts'

export type Fetch = typeof globalThis.fetch

const timeoutMs = 5_000
const maxBytes = 1_048_576

/**
 * Requests to providers: each has five seconds, and its answer at most 1 MiB. No redirect is followed. Throws
 * ProviderUnavailable or InvalidResponse.
 */
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
