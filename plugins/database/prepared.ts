import type postgres from 'postgres'
import { through } from './through.ts'

// Without a kept prepared statement, a query takes two round trips: one for its parameter types, one to run. Lists
// produce a different statement for each length, which would be too many to keep.
const mostParameters = 32
const isKept = (parameters: unknown[]) => parameters.length > 0 && parameters.length <= mostParameters

/** Keeps statements prepared, also in transactions, unless the client has prepared statements turned off. */
export function prepare(client: postgres.Sql) {
  through(client, (unsafe, text, parameters, options) =>
    unsafe(text, parameters, { ...options, prepare: isKept(parameters) }),
  )
}
