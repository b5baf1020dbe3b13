type Count = { count: number; ends: number }

/**
 * Counts what each of many does, in this process alone: at most `most` times within so many seconds from its first time on. For what happens too often
 * to be worth a write each time.
 */
export function createPace({ most, within, now }: { most: number; within: number; now(): Date }) {
  const counts = new Map<string, Count>()

  /** Oldest first, since all windows are of one length. */
  function forgetEnded(time: number) {
    for (const [key, { ends }] of counts) {
      if (ends > time) return
      counts.delete(key)
    }
  }

  return {
    /** Counts one more. Gives the seconds to wait, 0 when it may go on. */
    count(key: string) {
      const time = now().getTime()
      forgetEnded(time)
      const counted = counts.get(key) ?? { count: 0, ends: time + within * 1000 }
      counts.set(key, counted)
      counted.count++
      return counted.count > most ? Math.ceil((counted.ends - time) / 1000) : 0
    },
  }
}
