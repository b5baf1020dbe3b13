import { sql } from 'drizzle-orm'
import type postgres from 'postgres'

// Without a kept prepared statement, a query takes two round trips: one for its parameter types, one to run. Lists
// produce a different statement for each length, which would be too many to keep.
const maxParameters = 32

const mark = '/* planned anew */'

/**
 * Ends a statement that is planned for each run, because its tables grow within minutes. A kept statement keeps its
 * plan until the next analyze: one from when the table was small scans all of it for each row that it looks up.
 */
export const plannedAnew = sql.raw(mark)

/** Keeps the statement prepared, unless the client has prepared statements turned off. */
export const prepared = (text: string, parameters: unknown[], options: postgres.UnsafeQueryOptions) => ({
  ...options,
  prepare: parameters.length > 0 && parameters.length <= maxParameters && !text.endsWith(mark),
})
