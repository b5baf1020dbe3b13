/**
 * Counts in this process only: at most `max` hits per key in a window that starts with the first. For
 * things that happen too often to justify a database write each time.
 */
export function createPace({ max, windowSeconds, now }: { max: number; windowSeconds: number; now(): Date }) {
  const counts = new Map<string, { count: number; ends: number }>()

  return {
    /** Counts one hit. Returns the seconds to wait, or 0 if the hit is allowed. */
    count(key: string) {
      const time = now().getTime()
      // All windows have the same length, so the map is ordered by expiry.
      for (const [key, { ends }] of counts) {
        if (ends > time) break
        counts.delete(key)
      }
      const counted = counts.get(key) ?? { count: 0, ends: time + windowSeconds * 1000 }
      counts.set(key, counted)
      counted.count++
      return counted.count > max ? Math.ceil((counted.ends - time) / 1000) : 0
    },
  }
}
