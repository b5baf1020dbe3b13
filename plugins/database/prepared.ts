import type postgres from 'postgres'
import { through } from './through.ts'

// A statement that is not kept prepared takes two round trips: one to learn its types, one to run. A list of any length makes a text of its own for
// each length, which would be too many to keep.
const mostParameters = 32
const isKept = (parameters: unknown[]) => parameters.length > 0 && parameters.length <= mostParameters

/** Keeps statements prepared, in transactions too, unless the client never does. */
export function prepare(client: postgres.Sql) {
  through(client, (unsafe, text, parameters, options) =>
    unsafe(text, parameters, { ...options, prepare: isKept(parameters) }),
  )
}
