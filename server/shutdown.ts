import closeWithGrace from 'close-with-grace'
import { stackOf } from '../plugins/http/present-error.ts'

export const shutdownTimeoutMs = 9_000 // containers are killed after ten seconds

const steps: (() => Promise<unknown>)[] = []

/** Shuts down on a signal, or over an error that nothing caught. */
export const shutDownWithGrace = (skip: 'SIGINT'[] = []) =>
  closeWithGrace({ delay: false, logger: false, skip }, async ({ err }) => {
    if (err) console.error(stackOf(err))
    exitAfter()
    await shutDown()
  })

/** Registers a step of the shutdown. Steps run in reverse order: requests and jobs first, the database last. */
export const onShutdown = (step: () => Promise<unknown>) => steps.push(step)

export async function shutDown() {
  for (const step of steps.splice(0).reverse()) await step()
}

export const isClosing = () => Boolean((closeWithGrace as { closing?: boolean }).closing) // which its types lack

export const isAnythingStarted = () => steps.length > 0

/** Forces an exit if the shutdown hangs, for example on a database that does not respond. */
export const exitAfter = (timeoutMs = shutdownTimeoutMs) => setTimeout(() => process.exit(1), timeoutMs).unref()
