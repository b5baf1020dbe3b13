const steps: (() => Promise<unknown>)[] = []

/** Registers a step of the shutdown. Steps run in reverse order: requests and jobs first, the database last. */
export const onShutdown = (step: () => Promise<unknown>) => steps.push(step)

export async function shutDown() {
  for (const step of steps.splice(0).reverse()) await step()
}

export const isAnythingStarted = () => steps.length > 0

/** Forces an exit if the shutdown hangs, for example on a database that does not respond. */
export const exitAfter = (timeoutMs: number) => setTimeout(() => process.exit(1), timeoutMs).unref()
