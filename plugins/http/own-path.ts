import type { FastifyRequest } from 'fastify'

/** The path and query of a URL on our own origin, or undefined for any other URL. A relative path counts as our own. */
export function ownPath(address: string | undefined, origin: string) {
  const url = address ? URL.parse(address, origin) : null
  // A blob: URL has the origin that made it, and another URL as its path.
  if (url?.protocol === 'blob:') return undefined
  // `//evil.example` and `/\evil.example` look like paths here, but browsers resolve them to another host, even if the
  // slash was encoded.
  if (url?.origin !== origin || /^\/(?:[/\\]|%5c|%2f)/i.test(url.pathname)) return undefined
  return url.pathname + url.search
}

/** Path and query of the Referer if it is on our own origin, which prevents open redirects. */
export const refererOf = ({ headers }: FastifyRequest, origin: string) =>
  URL.canParse(headers.referer ?? '') ? ownPath(headers.referer, origin) : undefined
