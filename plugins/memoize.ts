/**
 * Caches a pure but slow function of a string. Undefined results are not cached, or an attacker could fill the memory
 * with forgeries. The cache has two generations, and results in use move to the current one: clearing everything at
 * once would make ten thousand open pages compute theirs again with the next heartbeat.
 */
export function memoize<Result>(compute: (text: string) => Result, maxResults = 20_000) {
  let current = new Map<string, Result>()
  let previous = new Map<string, Result>()
  return (text: string) => {
    const cached = current.get(text)
    if (cached !== undefined) return cached
    const result = previous.get(text) ?? compute(text)
    if (result === undefined) return result
    if (current.size >= maxResults) {
      previous = current
      current = new Map()
    }
    current.set(text, result)
    return result
  }
}
