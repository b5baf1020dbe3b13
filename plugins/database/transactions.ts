import { sql } from 'drizzle-orm'
import type { PostgresJsDatabase, PostgresJsSession } from 'drizzle-orm/postgres-js'
import type postgres from 'postgres'
import { refuseWhenGivenUp } from './counting.ts'

/** An open transaction. A function that takes a Tx makes several writes that must succeed or fail together. */
export type Tx = Parameters<Parameters<PostgresJsDatabase['transaction']>[0]>[0]

type Statement = { text: string; parameters: string[] }
type Callback = (db: PostgresJsDatabase) => unknown
type Ending = { statements: (() => Statement[])[]; callbacks: Callback[] }
const endings = new WeakMap<object, Ending>()

function endingOf(tx: Tx) {
  const ending = endings.get(tx)
  if (!ending) throw new Error('only an open transaction that app.db began can tell when it commits')
  return ending
}

/**
 * Sends these statements together with the COMMIT, so they cost no round trip. If one fails, so does the transaction.
 */
export const withCommit = (tx: Tx, statements: () => Statement[]) => void endingOf(tx).statements.push(statements)

/** Runs the callback after the commit, before the transaction's result is returned. Not called after a rollback. */
export const afterCommit = (tx: Tx, callback: Callback) => void endingOf(tx).callbacks.push(callback)

/**
 * Extends transactions: runs `first` at their start, sends withCommit statements, calls afterCommit callbacks, and
 * refuses to commit when the request has timed out.
 */
export function begin(db: PostgresJsDatabase, first: string | undefined) {
  const transaction = db.transaction.bind(db)
  db.transaction = async (work, config) => {
    const ending: Ending = { statements: [], callbacks: [] }
    let sent: Promise<unknown> | undefined
    try {
      const result = await transaction(async (tx) => {
        if (first) await tx.execute(sql.raw(first))
        endings.set(tx, ending)
        const result = await work(tx)
        refuseWhenGivenUp()
        endings.delete(tx) // what comes later would be lost
        sent = send(tx, ending.statements)
        return result
      }, config)
      for (const callback of ending.callbacks) await callback(db)
      return result
    } catch (error) {
      await sent // its error says why the server rolled back
      throw error
    }
  }
}

function send(tx: Tx, statements: Ending['statements']) {
  if (statements.length === 0) return undefined
  // Drizzle would send them a few ticks later, after the COMMIT, and take longer to build them than they take to run.
  const { client } = tx._.session as PostgresJsSession<postgres.Sql, never, never>
  const queries = statements
    .flatMap((make) => make())
    .map(({ text, parameters }) => client.unsafe(text, parameters).execute())
  const sent = Promise.all(queries)
  sent.catch(() => {}) // the COMMIT fails as well
  return sent
}
