import { DatabaseUnusable } from '../plugins/database/index.ts'
import { stackOf } from '../plugins/http/present-error.ts'
import { BadConfig } from './config.ts'
import { exitAfter, isClosing, shutDown } from './shutdown.ts'

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
