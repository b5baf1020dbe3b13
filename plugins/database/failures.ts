import { DrizzleQueryError } from 'drizzle-orm/errors'
import postgres from 'postgres'

/** Whether a text column can store it: Postgres accepts neither NUL nor half a surrogate pair. */
export const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')

/** Whether a statement failed on a unique constraint. */
export const isUniqueViolation = (error: unknown) =>
  error instanceof DrizzleQueryError && error.cause instanceof postgres.PostgresError && error.cause.code === '23505'
