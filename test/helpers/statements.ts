import type pg from 'pg'
import type { Database } from '../../plugins/database/index.ts'

/** Collects the text of every statement from now on. */
export function recordStatements({ pool }: Database) {
  const statements: string[] = []
  const recorded = new WeakSet<pg.PoolClient>()
  pool.on('acquire', (client) => {
    if (recorded.has(client)) return
    recorded.add(client)
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((asked: string | pg.QueryConfig, ...rest: unknown[]) => {
      const text = typeof asked === 'string' ? asked : asked.text
      if (!text.includes('pgboss.')) statements.push(text) // which has a clock of its own
      return query(asked, ...rest)
    }) as typeof client.query
  })
  return statements
}
