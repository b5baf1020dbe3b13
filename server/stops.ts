const stops: (() => Promise<unknown>)[] = []

/** Stops run in reverse order: requests and jobs first, the database last. */
export const stopLater = (stop: () => Promise<unknown>) => stops.push(stop)

export async function stopAll() {
  for (const stop of stops.splice(0).reverse()) await stop()
}

export const isAnythingStarted = () => stops.length > 0

/** Forces an exit if the shutdown hangs, for example on a database that does not respond. */
export const exitWithin = (seconds: number) => setTimeout(() => process.exit(1), seconds * 1000).unref()
