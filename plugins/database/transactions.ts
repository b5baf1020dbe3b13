import { sql } from 'drizzle-orm'
import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import { refuseWhenGivenUp } from './counting.ts'

/** An open transaction. A function that takes a Tx makes several writes that must succeed or fail together. */
export type Tx = Parameters<Parameters<PostgresJsDatabase['transaction']>[0]>[0]

type Callback = (db: PostgresJsDatabase) => unknown
const committed = new WeakMap<object, Callback[]>()

/** Runs the callback after the commit, before the transaction's result is returned. Not called after a rollback. */
export function afterCommit(tx: Tx, callback: Callback) {
  const callbacks = committed.get(tx)
  if (!callbacks) throw new Error('only a transaction that app.db began can tell when it commits')
  callbacks.push(callback)
}

/**
 * Extends transactions: runs `first` at their start, calls afterCommit callbacks, and refuses to commit when the
 * request has timed out.
 */
export function begin(db: PostgresJsDatabase, first: string | undefined) {
  const transaction = db.transaction.bind(db)
  db.transaction = async (work, config) => {
    const callbacks: Callback[] = []
    const result = await transaction(async (tx) => {
      if (first) await tx.execute(sql.raw(first))
      committed.set(tx, callbacks)
      const result = await work(tx)
      refuseWhenGivenUp()
      return result
    }, config)
    for (const callback of callbacks) await callback(db)
    return result
  }
}
