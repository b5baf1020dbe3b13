import { http } from '@inertiajs/core'
import type { Path } from '../../features/paths.ts'
import { ownHeaders } from '../visits/requests.ts'

const maxMs = 10_000

/** Identifies this document in what it causes, so it can skip its own echo. */
export const tabId = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(36)).join('')

http.onRequest((request) => ({ ...request, headers: { ...request.headers, 'X-Tab-Id': tabId } }))

/** Sends a request that is not a visit. It may outlive the page, so the last one can report that the tab is closing. */
export function send({ url, method }: Path, body: object) {
  // The presence list arrives through the stream.
  const asked = { 'Content-Type': 'application/json', Prefer: 'return=minimal' }
  const headers = { ...asked, 'X-Tab-Id': tabId, ...ownHeaders() }
  // A redirect would lead to the sign-in page, which is no use here.
  const options = { method: method.toUpperCase(), headers, keepalive: true, redirect: 'manual' } as const
  // Those that follow wait for it, and a dead connection would hold it for minutes.
  const signal = AbortSignal.timeout(maxMs)
  return fetch(url, { ...options, signal, body: JSON.stringify(body) })
}
