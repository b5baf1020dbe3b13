/** The URL without a host, and with its trailing slashes collapsed into one, which the router ignores. */
export function trimSlashes({ url: given = '/' }: { url?: string | undefined }) {
  const url = given.startsWith('/') ? given : withoutHost(given)
  const query = url.indexOf('?')
  const end = query === -1 ? url.length : query
  // A loop, because a regular expression would take quadratic time on a long run of slashes.
  let last = end
  while (last > 1 && url[last - 1] === '/' && url[last - 2] === '/') last--
  return last === end ? url : url.slice(0, last) + url.slice(end)
}

// A request line may name any host (RFC 9112, 3.2.2), which must not reach a page.
const withoutHost = (url: string) => url.replace(/^https?:\/\/[^/?]*/i, '').replace(/^(?=\?|$)/, '/')
