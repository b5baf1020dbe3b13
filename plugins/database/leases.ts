import type postgres from 'postgres'

/** Connections of a pool at work, and queries and transactions for which there is none. */
export type Use = { used: number; waiting: number }

type Query = PromiseLike<unknown>

/** Counts who wants a connection of the pool: each query wants one, and each transaction has one for itself, whatever it does meanwhile. */
export function countLeases(client: postgres.Sql, pool: number): () => Use {
  let wanted = 0
  const { unsafe, begin } = client
  client.unsafe = ((text, parameters, options) => {
    const query = unsafe(text, parameters, options)
    // `begin` sends its first statement as everybody does, and asks to be told the connection.
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
