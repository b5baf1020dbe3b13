import cluster from 'node:cluster'
import closeWithGrace from 'close-with-grace'
import type { FastifyBaseLogger } from 'fastify'
import { DatabaseUnusable } from '../plugins/database/index.ts'
import { logRead } from '../plugins/http/log-output.ts'
import { stackOf } from '../plugins/http/logging.ts'
import { BadConfig } from './config.ts'

type Cause = { err?: Error | undefined }

// Containers are killed after ten seconds. Workers end before their primary, which would take them along.
const timeoutMs = cluster.isPrimary ? 9_000 : 8_000
const steps: ((cause: Cause) => Promise<unknown>)[] = []

type Ending = {
  /** Where a shutdown is logged, once there is a log. */
  log?: FastifyBaseLogger
  /** How long connections are still accepted. */
  drainSeconds: number
  /** What a shutdown still waits for, for the log. */
  pending?(): object
}
export const ending: Ending = { drainSeconds: 0 }

export const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
const repeatMs = 1_000

/**
 * Shuts down on a signal, over an error that nothing caught, or when the returned function is called. A second signal
 * ends the process at once, unless it is the first one again: npm passes on what its whole group has got.
 */
export function shutDownWithGrace() {
  let first: { signal: string; at: number } | undefined
  const { close } = closeWithGrace({ delay: false, logger: false, skip: [...stopSignals] }, async ({ err }) => {
    const { log, drainSeconds } = ending
    if (err && log) log.fatal({ err }, 'the process is exiting after an uncaught error')
    else if (err) console.error(stackOf(err))
    else log?.info({ signal: first?.signal }, 'stopping')
    const forced = exitAfter(timeoutMs + (err ? 0 : drainSeconds * 1000))
    await shutDown({ err })
    clearTimeout(forced)
    log?.info('stopped')
    await logRead()
  })
  for (const signal of cluster.isPrimary ? stopSignals : [])
    process.on(signal, () => {
      first ??= { signal, at: performance.now() }
      if (!isClosing()) close()
      else if (performance.now() - first.at > repeatMs) process.exit(1)
    })
  return close
}

export const onShutdown = (step: (cause: Cause) => Promise<unknown>) => steps.push(step)

export async function shutDown(cause: Cause = {}) {
  for (const step of steps.splice(0).reverse()) await step(cause)
}

export const isClosing = () => Boolean((closeWithGrace as { closing?: boolean }).closing) // its types lack it

/** Forces an exit if the shutdown hangs, for example on a database that does not respond. */
const exitAfter = (ms = timeoutMs) => setTimeout(forceExit, ms).unref()

function forceExit() {
  ending.log?.error(ending.pending?.(), 'the shutdown takes too long, so the process exits at once')
  process.exit(1)
}

/** Errors during an interrupted startup are expected. */
export async function failStart(error: unknown) {
  if (isClosing()) return
  console.error(describeError(error))
  exitAfter()
  await shutDown()
  process.exit(1)
}

/** One line for errors that an operator can fix. Everything else is a bug and keeps its stack. */
function describeError(error: unknown) {
  if (error instanceof BadConfig || error instanceof DatabaseUnusable) return error.message
  const { code, port, variable = 'PORT' } = error as NodeJS.ErrnoException & { port?: number; variable?: string }
  if (code === 'EADDRINUSE') return `Port ${port} is taken: stop what listens there, or set ${variable} to another one`
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(code ?? ''))
    return 'BIND must be an address of this machine, such as 0.0.0.0'
  if (code === 'EACCES' && port) return `Port ${port} may not be opened by this user: set ${variable} to one above 1023`
  return error instanceof Error ? stackOf(error) : error
}
