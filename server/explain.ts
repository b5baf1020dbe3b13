import { BadConfig } from './config.ts'

/** What an operator can act on takes one line; everything else is a fault of ours and keeps its stack. */
export function explain(error: unknown) {
  if (error instanceof BadConfig) return error.message
  const { code, port } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE') return `Port ${port} is taken: stop what listens there, or set PORT to another one`
  if (code === 'EACCES' && port) return `Port ${port} may not be opened by this user: set PORT to one above 1023`
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') return 'The database of DATABASE_URL cannot be reached'
  return error
}
