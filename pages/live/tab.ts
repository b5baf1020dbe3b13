import { http } from '@inertiajs/core'
import type { Path } from '../../features/paths.ts'

/** What this document is called in what it causes, so that it can tell its own echo. */
export const tabId = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
  byte.toString(16).padStart(2, '0'),
).join('')

http.onRequest((request) => ({ ...request, headers: { ...request.headers, 'X-Tab-Id': tabId } }))

/** A request that is no visit. It outlives the page, so that the last one can say that it goes. */
export function send({ url, method }: Path, body: object) {
  // Who else is there comes through the stream.
  const asked = { 'Content-Type': 'application/json', Prefer: 'return=minimal' }
  const headers = { ...asked, 'X-Tab-Id': tabId, 'X-XSRF-TOKEN': csrfToken() }
  // A redirect leads to the sign-in page, which is no answer to any of this.
  const options = { method: method.toUpperCase(), headers, keepalive: true, redirect: 'manual' } as const
  return fetch(url, { ...options, body: JSON.stringify(body) })
}

const csrfToken = () => /(?:^|; )XSRF-TOKEN=([^;]*)/.exec(document.cookie)?.[1] ?? ''
