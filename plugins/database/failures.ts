import pg from 'pg'

/** Whether a text column can store it: Postgres accepts neither NUL nor half a surrogate pair. */
export const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')

/** Drizzle wraps the errors of the driver. */
export function rootOf(error: unknown): Error & { code?: string } {
  if (!(error instanceof Error)) return new Error(String(error))
  return error.cause instanceof Error ? rootOf(error.cause) : error
}

/** Whether a statement failed on a unique constraint. */
export function isUniqueViolation(error: unknown) {
  const root = rootOf(error)
  return root instanceof pg.DatabaseError && root.code === '23505'
}

// statement timeout or cancelled, lock, idle transaction, whole transaction
const lateCodes = ['57014', '55P03', '25P03', '25P04']
// The driver gives its own no codes.
const lateMessages =
  /^(Query read timeout|timeout exceeded when trying to connect|Connection terminated due to connection timeout|timeout expired)$/

/** Whether it failed because of a time limit. A retry may succeed. */
export function isLate(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // The pool's own error of a connection that took too long has a cause that says less.
  if (lateMessages.test(error.message) || isLate(error.cause)) return true
  return 'code' in error && lateCodes.includes(String(error.code))
}
