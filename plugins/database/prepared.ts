import type postgres from 'postgres'

// Without a kept prepared statement, a query takes two round trips: one for its parameter types, one to run. Lists
// produce a different statement for each length, which would be too many to keep.
const maxParameters = 32

/** Keeps the statement prepared, unless the client has prepared statements turned off. */
export const prepared = (parameters: unknown[], options: postgres.UnsafeQueryOptions) => ({
  ...options,
  prepare: parameters.length > 0 && parameters.length <= maxParameters,
})
