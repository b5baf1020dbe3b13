import { sql } from 'drizzle-orm'
import type { PostgresJsDatabase, PostgresJsSession } from 'drizzle-orm/postgres-js'
import type postgres from 'postgres'
import { throwIfTimedOut } from './queries.ts'

/** An open transaction. A function that takes a Tx makes several writes that must succeed or fail together. */
export type Tx = Parameters<Parameters<PostgresJsDatabase['transaction']>[0]>[0]

type Statement = { text: string; parameters: string[] }
type Callback = (db: PostgresJsDatabase) => unknown
type Ending = { statements: (() => Statement)[]; callbacks: Callback[] }
const endings = new WeakMap<object, Ending>()

function endingOf(tx: Tx) {
  const ending = endings.get(tx)
  if (!ending) throw new Error('beforeCommit and afterCommit need an open transaction of app.db')
  return ending
}

/** Sends this statement right before the COMMIT, without a round trip of its own. Its failure is the transaction's. */
export const beforeCommit = (tx: Tx, statement: () => Statement) => void endingOf(tx).statements.push(statement)

/** Runs the callback after the commit, before the transaction's result is returned. Not called after a rollback. */
export const afterCommit = (tx: Tx, callback: Callback) => void endingOf(tx).callbacks.push(callback)

/**
 * Extends transactions: runs `first` at their start, sends beforeCommit statements, calls afterCommit callbacks, and
 * refuses to commit when the request has timed out.
 */
export function extendTransactions(db: Pick<PostgresJsDatabase, 'transaction'>, first: string | undefined) {
  const transaction = db.transaction.bind(db)
  db.transaction = async (work, config) => {
    const ending: Ending = { statements: [], callbacks: [] }
    const pipelined: Promise<unknown>[] = []
    const committing = transaction(async (tx) => {
      if (first) await tx.execute(sql.raw(first))
      endings.set(tx, ending)
      const result = await work(tx)
      throwIfTimedOut()
      endings.delete(tx) // what comes later would be lost
      pipelined.push(...ending.statements.map((make) => send(tx, make())))
      return result
    }, config)
    const result = await committing.catch(async (error) => {
      await Promise.all(pipelined) // the reason why the server answers the COMMIT with a rollback
      throw error
    })
    for (const callback of ending.callbacks) await callback(db as PostgresJsDatabase)
    return result
  }
}

function send(tx: Tx, { text, parameters }: Statement) {
  const { client } = tx._.session as PostgresJsSession<postgres.Sql & postgres.TransactionSql, never, never>
  return client.unsafe(text, parameters).execute()
}
