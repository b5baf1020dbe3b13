import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import fp from 'fastify-plugin'
import { type Database, isLate } from './database/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    sweeper: {
      add(sweeping: Sweeping): void
      sweep(signal?: AbortSignal): Promise<Record<string, number>>
    }
  }
}

/** What is swept from a table: expired rows, or what `sweep` removes, which returns how many. */
type Sweeping = { table: PgTable } & (
  | { isExpired(): SQL | undefined }
  | { sweep(signal: AbortSignal | undefined): Promise<number> }
)

const batchSize = 1_000 // rows, so that a statement locks few of them

export default fp(
  async (app) => {
    const sweepings: Sweeping[] = []
    app.decorate('sweeper', {
      add(sweeping) {
        sweepings.push(sweeping)
      },
      async sweep(signal) {
        const swept: Record<string, number> = {}
        for (const sweeping of sweepings) {
          const name = getTableName(sweeping.table)
          const before = swept[name] ?? 0
          swept[name] = before
          try {
            const removed =
              'sweep' in sweeping
                ? await sweeping.sweep(signal)
                : await deleteExpired(app.db, sweeping.table, () => sweeping.isExpired(), signal)
            swept[name] = before + removed
          } catch (err) {
            app.log.error({ err, table: name }, 'sweep failed') // continue with the other tables
          }
        }
        app.log.info({ swept }, 'swept')
        return swept
      },
    })
    app.jobs.define('sweep', { cron: '17 * * * *', work: (_, { signal }) => app.sweeper.sweep(signal) })
  },
  { name: 'sweeper', dependencies: ['database', 'jobs'] },
)

/** In batches, and in smaller ones once the database is too late for one, until nothing is left. */
async function deleteExpired(db: Database, table: PgTable, isExpired: () => SQL | undefined, signal?: AbortSignal) {
  let size = batchSize
  let removed = 0
  while (!signal?.aborted) {
    try {
      const deleted = await deleteBatch(db, table, isExpired(), size)
      if (deleted === 0) break
      removed += deleted
    } catch (error) {
      if (!isLate(error) || size === 1) throw error
      size = Math.ceil(size / 10)
    }
  }
  return removed
}

async function deleteBatch(db: Database, table: PgTable, isExpired: SQL | undefined, size: number) {
  const expired = sql`select ctid from ${table} where ${isExpired} limit ${size} for update skip locked`
  const { rowCount } = await db.execute(sql`delete from ${table} where ctid = any(array(${expired}))`)
  return rowCount ?? 0
}
