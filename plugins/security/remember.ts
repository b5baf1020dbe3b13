/**
 * A function that is slow for its size and always gives the same for the same text, with its results kept. What gives undefined is not
 * kept: nobody may fill the memory with forgeries.
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
