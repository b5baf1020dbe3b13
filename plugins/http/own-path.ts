/** Path and query of an address on our own origin, which a path always is; never anything that leads elsewhere. */
export function ownPath(address: string | undefined, origin: string) {
  const url = address ? URL.parse(address, origin) : null
  // `//evil.example` and `/\evil.example` are paths here but addresses of another host to a browser, also once decoded.
  if (url?.origin !== origin || /^\/(?:[/\\]|%5c|%2f)/i.test(url.pathname)) return undefined
  return url.pathname + url.search
}
