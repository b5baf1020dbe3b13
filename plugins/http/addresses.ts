/** An address of which several trailing slashes are one; the router ignores that one. */
export function trimSlashes({ url = '/' }: { url?: string | undefined }) {
  const query = url.indexOf('?')
  const end = query === -1 ? url.length : query
  // Not by a pattern, which would look at a long row of slashes again from each of them.
  let last = end
  while (last > 1 && url[last - 1] === '/' && url[last - 2] === '/') last--
  return last === end ? url : url.slice(0, last) + url.slice(end)
}
