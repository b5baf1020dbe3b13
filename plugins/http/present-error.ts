type Logged = { type: string; message: string; stack: string; code?: unknown; cause?: Logged | undefined }

/** Logs only the fields listed here: an error may carry a query with its parameters, a request or a mail. */
export function presentError(error: Error): Logged {
  if (!(error instanceof Error)) return { type: typeof error, message: 'Thrown, and no error', stack: '' }
  const message = messageOf(error)
  return {
    type: error.name,
    message,
    stack: error.stack?.replace(error.message, () => message) ?? '',
    code: 'code' in error ? error.code : undefined,
    cause: error.cause instanceof Error ? presentError(error.cause) : undefined,
  }
}

/** Without the parameters of a statement, which Drizzle adds, and of which Postgres quotes those that do not fit. */
export function messageOf(error: Error & { code?: unknown }) {
  const message = error.message.replace(/\nparams: .*/s, '')
  return String(error.code).startsWith('22') ? message.replace(/".*"/s, '"…"') : message
}

export const parametersInJson = /\\nparams: (?:[^"\\]|\\.)*/g

export function stackOf(error: Error): string {
  const { stack } = presentError(error)
  return error.cause instanceof Error ? `${stack}\nCaused by ${stackOf(error.cause)}` : stack
}
