const stops: (() => Promise<unknown>)[] = []

/** What was started is stopped in the opposite order: requests and jobs in hand first, the database last. */
export const stopLater = (stop: () => Promise<unknown>) => stops.push(stop)

export async function stopAll() {
  for (const stop of stops.splice(0).reverse()) await stop()
}

export const isAnythingStarted = () => stops.length > 0

/** Whatever hangs, a database that says nothing included, may hang for so long and no longer. */
export const exitWithin = (seconds: number) => setTimeout(() => process.exit(1), seconds * 1000).unref()
