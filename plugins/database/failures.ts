import { DrizzleQueryError } from 'drizzle-orm/errors'
import postgres from 'postgres'

/** Whether a text column can hold it: Postgres stores neither NUL nor half of a surrogate pair. */
export const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')

/** Whether a statement failed because another row has the value already. */
export const isUniqueViolation = (error: unknown) =>
  error instanceof DrizzleQueryError && error.cause instanceof postgres.PostgresError && error.cause.code === '23505'
