import type postgres from 'postgres'

/** Connections in use, and queries and transactions that wait for one. */
export type Use = { used: number; waiting: number }

export type Leases = { take(): void; giveBack(): void; use(): Use }

/**
 * Counts the demand for connections. Each query outside a transaction takes a lease. A transaction is counted here, for
 * as long as it is open.
 */
export function leasesOf(client: postgres.Sql, pool: number): Leases {
  let wanted = 0
  const { begin } = client
  client.begin = ((...asked: unknown[]) => {
    wanted++
    return (begin as (...asked: unknown[]) => Promise<unknown>)(...asked).finally(() => wanted--)
  }) as typeof begin

  return {
    take: () => void wanted++,
    giveBack: () => void wanted--,
    use: () => ({ used: Math.min(wanted, pool), waiting: Math.max(wanted - pool, 0) }),
  }
}
