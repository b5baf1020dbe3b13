import { setImmediate as turn } from 'node:timers/promises'
import type postgres from 'postgres'

/**
 * Ends what a transaction does when its connection is lost. Postgres.js (3.4.9) would still send what comes, at least a rollback: through a socket that is
 * gone, which no error handler catches and ends the process, or ahead of the queries of the next connection, which then wait forever.
 */
export function guardTransactions(sql: postgres.Sql) {
  const { unsafe, begin } = sql
  let beginning: Lease | undefined

  // Called by `begin` too, with an option of its own, which is told the connection.
  sql.unsafe = ((text, parameters, options: postgres.UnsafeQueryOptions & { onexecute?: OnExecute } = {}) => {
    const { onexecute } = options
    return unsafe(text, parameters, onexecute && beginning ? { ...options, ...beginning.over(onexecute) } : options)
  }) as typeof unsafe

  sql.begin = ((...args: unknown[]) => {
    const work = args.pop() as Work
    const lease = new Lease()
    beginning = lease
    try {
      return (begin as (...args: unknown[]) => unknown)(...args, (tx: postgres.TransactionSql) => run(work, tx, lease))
    } finally {
      beginning = undefined
    }
  }) as typeof begin
}

type Work = (tx: postgres.TransactionSql) => unknown
type Connection = { reserved: unknown }
type OnExecute = (connection: Connection) => unknown

/** The time for which a connection belongs to a transaction. */
class Lease {
  #connection: Connection | undefined
  #reserved: unknown

  over = (onexecute: OnExecute) => ({
    onexecute: (connection: Connection) => {
      const outcome = onexecute(connection)
      this.#connection = connection
      this.#reserved = connection.reserved
      return outcome
    },
  })

  // A connection that closes belongs to nobody, and then to the next.
  get isLost() {
    return this.#connection?.reserved !== this.#reserved
  }
}

async function run(work: Work, tx: postgres.TransactionSql, lease: Lease) {
  const { unsafe } = tx
  tx.unsafe = ((...args: Parameters<typeof unsafe>) => {
    if (lease.isLost) throw new Error('the connection of this transaction was lost')
    return unsafe(...args)
  }) as typeof unsafe
  try {
    return await work(tx)
  } catch (error) {
    for (let turns = 0; turns < 2; turns++) await turn() // an encrypted connection closes a moment after its error
    throw error
  } finally {
    if (lease.isLost) await new Promise(() => {}) // never: postgres.js has rejected the transaction already
  }
}
