import type postgres from 'postgres'

/** Connections in use, and queries and transactions that wait for one. */
export type Use = { used: number; waiting: number }

type Query = PromiseLike<unknown>

/** Counts the demand for connections: one per query, and one per transaction for as long as it is open. */
export function countLeases(client: postgres.Sql, pool: number): () => Use {
  let wanted = 0
  const { unsafe, begin } = client
  client.unsafe = ((text, parameters, options) => {
    const query = unsafe(text, parameters, options)
    // `begin` sends its first statement through `unsafe` too, with this option. It is counted as a transaction below.
    if (!(options && 'onexecute' in options)) leaseWhenAsked(query)
    return query
  }) as typeof unsafe
  client.begin = ((...asked: unknown[]) => {
    wanted++
    return (begin as (...asked: unknown[]) => Promise<unknown>)(...asked).finally(() => wanted--)
  }) as typeof begin

  // A query starts when it is first awaited.
  function leaseWhenAsked(query: Query) {
    const { then } = query
    // biome-ignore lint/suspicious/noThenProperty: it is a promise already
    query.then = (resolve, reject) => {
      wanted++
      const giveBack = <Settled extends unknown[], Result>(settle: (...settled: Settled) => Result) => {
        return (...settled: Settled) => {
          wanted--
          return settle(...settled)
        }
      }
      const resolved = resolve ?? ((rows: unknown) => rows as never)
      const rejected =
        reject ??
        ((error: unknown) => {
          throw error
        })
      return then.call(query, giveBack(resolved), giveBack(rejected)) as never
    }
  }

  return () => ({ used: Math.min(wanted, pool), waiting: Math.max(wanted - pool, 0) })
}
