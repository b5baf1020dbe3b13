import closeWithGrace from 'close-with-grace'
import type { FastifyBaseLogger } from 'fastify'
import { stackOf } from '../plugins/http/present-error.ts'

type Cause = { err?: Error | undefined; signal?: string | undefined }

const timeoutMs = 9_000 // containers are killed after ten seconds
const steps: ((cause: Cause) => Promise<unknown>)[] = []

/** Where a shutdown is logged, once there is a log, and how long connections are still accepted. */
export const ending: { log?: FastifyBaseLogger; drainSeconds: number } = { drainSeconds: 0 }

/** Shuts down on a signal, or over an error that nothing caught. */
export const shutDownWithGrace = (skip: ('SIGINT' | 'uncaughtException' | 'unhandledRejection')[] = []) =>
  closeWithGrace({ delay: false, logger: false, skip }, async ({ err, signal }) => {
    const { log, drainSeconds } = ending
    if (err && log) log.fatal({ err }, 'the process is exiting after an uncaught error')
    else if (err) console.error(stackOf(err))
    else log?.info({ signal }, 'stopping')
    exitAfter(timeoutMs + (signal ? drainSeconds * 1000 : 0))
    await shutDown({ err, signal })
    log?.info('stopped')
  })

export const onShutdown = (step: (cause: Cause) => Promise<unknown>) => steps.push(step)

export async function shutDown(cause: Cause = {}) {
  for (const step of steps.splice(0).reverse()) await step(cause)
}

export const isClosing = () => Boolean((closeWithGrace as { closing?: boolean }).closing) // which its types lack

/** Forces an exit if the shutdown hangs, for example on a database that does not respond. */
export const exitAfter = (ms = timeoutMs) => setTimeout(() => process.exit(1), ms).unref()
