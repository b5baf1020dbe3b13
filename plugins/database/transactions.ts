import { sql } from 'drizzle-orm'
import type { PostgresJsDatabase, PostgresJsSession } from 'drizzle-orm/postgres-js'
import type postgres from 'postgres'
import { refuseWhenGivenUp } from './counting.ts'

/** An open transaction. A function that takes a Tx makes several writes that must succeed or fail together. */
export type Tx = Parameters<Parameters<PostgresJsDatabase['transaction']>[0]>[0]

type Statement = { text: string; parameters: string[] }
type Callback = (db: PostgresJsDatabase) => unknown
type Ending = { statements: (() => Statement)[]; callbacks: Callback[] }
const endings = new WeakMap<object, Ending>()

function endingOf(tx: Tx) {
  const ending = endings.get(tx)
  if (!ending) throw new Error('only an open transaction that app.db began can tell when it commits')
  return ending
}

/** Sends this statement in one message with the COMMIT, to which it adds little. If it fails, so does the transaction. */
export const withCommit = (tx: Tx, statement: () => Statement) => void endingOf(tx).statements.push(statement)

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
    const result = await transaction(async (tx) => {
      if (first) await tx.execute(sql.raw(first))
      endings.set(tx, ending)
      const result = await work(tx)
      refuseWhenGivenUp()
      endings.delete(tx) // what comes later would be lost
      for (const make of ending.statements) send(tx, make())
      return result
    }, config)
    for (const callback of ending.callbacks) await callback(db)
    return result
  }
}

function send(tx: Tx, { text, parameters }: Statement) {
  const { client } = tx._.session as PostgresJsSession<postgres.Sql & postgres.TransactionSql, never, never>
  client.beforeCommit(text, parameters)
}
