/** Calls `load` at first use, and again once the result is too old. Callers at the same time share one. Failures are not kept. */
export function kept<Value>(ageMs: number, load: () => Promise<Value>) {
  let current: { value: Promise<Value>; until: number } | undefined
  return () => {
    if (current && performance.now() < current.until) return current.value
    const value = load()
    const mine = { value, until: performance.now() + ageMs }
    current = mine
    value.catch(() => {
      if (current === mine) current = undefined
    })
    return value
  }
}
