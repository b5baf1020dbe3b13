/**
 * Caches a pure but slow function of a string. Undefined results are not cached, or an attacker could fill the memory
 * with forgeries. Results in use move to a new generation when theirs is full, and only the unused are forgotten:
 * clearing everything would have ten thousand open pages compute all of them again with each heartbeat.
 */
export function remember<Result>(compute: (text: string) => Result, limit = 20_000) {
  let current = new Map<string, Result>()
  let former = new Map<string, Result>()
  return (text: string) => {
    const known = current.get(text)
    if (known !== undefined) return known
    const result = former.get(text) ?? compute(text)
    if (result === undefined) return result
    if (current.size >= limit) {
      former = current
      current = new Map()
    }
    current.set(text, result)
    return result
  }
}
