/** The URL with its trailing slashes collapsed into one, which the router ignores. */
export function trimSlashes({ url = '/' }: { url?: string | undefined }) {
  const query = url.indexOf('?')
  const end = query === -1 ? url.length : query
  // A loop, because a regular expression would take quadratic time on a long run of slashes.
  let last = end
  while (last > 1 && url[last - 1] === '/' && url[last - 2] === '/') last--
  return last === end ? url : url.slice(0, last) + url.slice(end)
}
