import type { Test } from 'tap'

/** Counts seconds in tenths, but not while the machine pauses or is too busy for the count itself. */
export function startStopwatch(t: Test) {
  let tenths = 0
  const timer = setInterval(() => tenths++, 100)
  t.teardown(() => clearInterval(timer))
  return () => tenths / 10
}
