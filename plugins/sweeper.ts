import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import fp from 'fastify-plugin'
import type { Database } from './database/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    sweeper: {
      add(sweeping: Sweeping): void
      sweep(signal?: AbortSignal): Promise<Record<string, number>>
    }
  }
}

type Sweeping = { table: PgTable } & ({ isExpired(): SQL | undefined } | { removeBatch(): Promise<number> })

const batchSize = 1_000 // rows, so that a statement locks few of them

export default fp(
  async (app) => {
    const sweepings: Sweeping[] = []
    const removeBatch = (sweeping: Sweeping) =>
      'removeBatch' in sweeping ? sweeping.removeBatch() : deleteBatch(app.db, sweeping.table, sweeping.isExpired())

    app.decorate('sweeper', {
      add: (sweeping) => void sweepings.push(sweeping),
      async sweep(signal) {
        const swept: Record<string, number> = {}
        for (const sweeping of sweepings) {
          const name = getTableName(sweeping.table)
          swept[name] ??= 0
          try {
            for (let gone = 1; gone > 0 && !signal?.aborted; swept[name] = Number(swept[name]) + gone)
              gone = await removeBatch(sweeping)
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

async function deleteBatch(db: Database, table: PgTable, isExpired: SQL | undefined) {
  const expired = sql`select ctid from ${table} where ${isExpired} limit ${batchSize} for update skip locked`
  const { rowCount } = await db.execute(sql`delete from ${table} where ctid = any(array(${expired}))`)
  return rowCount ?? 0
}
