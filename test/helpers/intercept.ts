import type postgres from 'postgres'

type Client = Pick<postgres.Sql, 'unsafe'>
type Open = (...args: unknown[]) => unknown
type Args = Required<Parameters<postgres.Sql['unsafe']>>
type Send = (unsafe: postgres.Sql['unsafe'], args: Args) => unknown

/**
 * Passes every query of a client through `send`, including those in transactions and savepoints. Drizzle runs all
 * queries with `unsafe`.
 */
export function intercept(client: Client, send: Send) {
  const { unsafe } = client
  client.unsafe = ((text, parameters = [], options = {}) => send(unsafe, [text, parameters, options])) as typeof unsafe
  const openers = client as unknown as Record<'begin' | 'savepoint', Open | undefined>
  for (const name of ['begin', 'savepoint'] as const) {
    const open = openers[name]
    if (!open) continue
    openers[name] = (...args) => {
      const work = args.pop() as (tx: Client) => unknown
      return open(...args, (tx: Client) => {
        intercept(tx, send)
        return work(tx)
      })
    }
  }
}
