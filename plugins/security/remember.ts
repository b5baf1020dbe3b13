/**
 * Caches a pure but slow function of a string. Undefined results are not cached, or an attacker could fill the memory
 * with forgeries.
 */
export function remember<Result>(compute: (text: string) => Result, limit = 10_000) {
  const results = new Map<string, Result>()
  return (text: string) => {
    const known = results.get(text)
    if (known !== undefined) return known
    const result = compute(text)
    if (results.size >= limit) results.clear()
    if (result !== undefined) results.set(text, result)
    return result
  }
}
