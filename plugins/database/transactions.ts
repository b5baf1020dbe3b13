import { sql } from 'drizzle-orm'
import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import { refuseWhenGivenUp } from './counting.ts'

/** An open transaction. What takes a Tx writes several rows that must stand or fall together. */
export type Tx = Parameters<Parameters<PostgresJsDatabase['transaction']>[0]>[0]

type Callback = (db: PostgresJsDatabase) => unknown
const committed = new WeakMap<object, Callback[]>()

/** Runs once the transaction has committed, before its result is handed on, and never when it is rolled back. */
export function afterCommit(tx: Tx, callback: Callback) {
  const callbacks = committed.get(tx)
  if (!callbacks) throw new Error('only a transaction that app.db began can tell when it commits')
  callbacks.push(callback)
}

/** Lets transactions begin with `first`, if given, keep what is for afterwards, and not commit what nobody waits for. */
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
