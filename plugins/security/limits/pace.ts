/** Counts in this process only, for things that happen too often for a database write each time. */
export function createPace({ max, windowSeconds, now }: { max: number; windowSeconds: number; now(): Date }) {
  const counts = new Map<string, { count: number; ends: number }>()

  return {
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
