import type { Claimed } from './queue.ts'

const timeoutMs = 15_000
const maxRetryAfterSeconds = 3_600

/** After which try the next one follows, in milliseconds: eight in about a day. */
const pausesMs = [5, 60, 300, 1_800, 7_200, 21_600, 43_200].map((seconds) => seconds * 1_000)
export const maxTries = pausesMs.length + 1

type Request = { url: string; headers: Record<string, string>; body: Buffer }

export type Answer = { status: string; isDelivered: boolean; retryAfterMs: number }

/** Sends, and reads no more of the answer than its status and `Retry-After`. */
export async function post(fetch: typeof globalThis.fetch, { url, headers, body }: Request): Promise<Answer> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const done = new AbortController()
  try {
    const signal = AbortSignal.any([timeout, done.signal])
    const { status, headers: answered, ok } = await fetch(url, { method: 'POST', headers, body, signal })
    const retryAfterMs = retryAfterIn(answered.get('retry-after'))
    return { status: String(status), isDelivered: ok, retryAfterMs }
  } catch {
    // One word for all that can go wrong on the way, so that nobody maps our network with it.
    return { status: timeout.aborted ? 'late' : 'unreachable', isDelivered: false, retryAfterMs: 0 }
  } finally {
    done.abort() // ends the connection of a body that nobody reads
  }
}

const retryAfterIn = (header: string | null) =>
  header && /^\d{1,9}$/.test(header.trim()) ? Math.min(Number(header), maxRetryAfterSeconds) * 1_000 : 0

/** Undefined after the last try. */
export function nextTryAt(now: Date, { tries, activityId }: Claimed, retryAfterMs: number) {
  const pauseMs = activityId === null ? undefined : pausesMs[tries]
  if (pauseMs === undefined) return undefined
  return new Date(now.getTime() + Math.max(pauseMs * (1 + Math.random() / 5), retryAfterMs))
}
