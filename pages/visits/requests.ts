import { http } from '@inertiajs/core'
import type { AuthProps } from '../../features/auth/props.ts'

let shown: AuthProps | undefined

export function showPageOf(component: string, auth: AuthProps) {
  // The pages for a new password never say who is signed in.
  if (!component.startsWith('identity/password-reset/')) shown = auth
}

export const ownHeaders = () => ({
  ...(shown && { 'X-Signed-In-As': String(shown.user?.id ?? 'guest') }),
  'X-XSRF-TOKEN': csrfTokens(),
})

// A parent domain may have a cookie of this name, too, and only the server can tell which one is genuine.
const csrfTokens = () =>
  Array.from(document.cookie.matchAll(/(?:^|; )XSRF-TOKEN=([\w-]+)/g), ([, token]) => token).join()

/** The client would send the first token only, and throw if its percent-encoding is broken. */
export const withoutOwnToken = { xsrfCookieName: 'none' }

// Browsers keep responses by address, and would show that of a visit, such as a 502, to someone who goes back. A
// conditional request bypasses the cache of Chromium (as Fetch demands), and `no-store` that of Firefox. The client's
// own `no-cache` stays beside it.
const unstored = { 'If-Match': '*', 'cache-control': 'no-store' }

http.onRequest((request) => ({ ...request, headers: { ...request.headers, ...ownHeaders(), ...unstored } }))
