import type postgres from 'postgres'
import { Line } from './line.ts'

/** Connections in use, and queries and transactions that wait for one. */
export type Use = { used: number; waiting: number }

export type Lease = {
  /** A promise if there is a wait. Nothing is taken if it rejects. */
  take(): Promise<void> | undefined
  giveBack(): void
}

export type Leases = { reading: Lease; writing: Lease; use(): Use }

/** How many connections of a pool may write at once. */
const writersOf = (pool: number) => pool - Math.floor(pool / 4)

/**
 * Counts the demand for connections, and keeps a quarter of them for reading. A commit waits for the disk and an update
 * for locks: when one of them stalls, writers would soon occupy the whole pool, and nothing could be read either. Each
 * query outside a transaction takes a lease. Transactions take one here, for as long as they are open.
 */
export function leasesOf(client: postgres.Sql, pool: number, patience: number): Leases {
  let wanted = 0
  const writers = new Line(writersOf(pool), patience)
  const reading = { take: () => void wanted++, giveBack: () => void wanted-- }
  const writing = {
    take() {
      wanted++
      return writers.enter()?.catch((error) => {
        wanted--
        throw error
      })
    },
    giveBack() {
      wanted--
      writers.leave()
    },
  }

  const { begin } = client
  client.begin = (async (...asked: unknown[]) => {
    await writing.take()
    return await (begin as (...asked: unknown[]) => Promise<unknown>)(...asked).finally(writing.giveBack)
  }) as typeof begin

  return {
    reading,
    writing,
    use() {
      const used = Math.min(wanted - writers.length, pool)
      return { used, waiting: wanted - used }
    },
  }
}
