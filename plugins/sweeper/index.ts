import { setTimeout as sleep } from 'node:timers/promises'
import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import fp from 'fastify-plugin'
import type { Database } from '../database/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    sweeper: {
      /** Registers a table with a condition for expired rows. `oldestFirst` stops at the first page without any. */
      add(sweeping: Sweeping): void
      /** Deletes expired rows from all tables, until done or aborted. Returns the number of rows by table. */
      sweep(signal?: AbortSignal): Promise<Record<string, number>>
    }
  }
}

type Sweeping = {
  table: PgTable
  isExpired(): SQL | undefined
  oldestFirst?: boolean
  /** Removes one row, where deleting it is not enough. Returns whether it did. */
  remove?(key: unknown): Promise<boolean>
}

const pageSize = 100
const pauseFactor = 9 // a pause takes this many times as long as the page

/**
 * Keeps tables from growing without bound. Each table is scanned along its key, one page per statement, so statements
 * stay short, lock few rows and need no extra index. It pauses after each page, so that visitors hardly notice.
 */
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
          swept[name] = 0
          try {
            for await (const gone of walk(app.db, sweeping)) {
              swept[name] = (swept[name] ?? 0) + gone
              if (signal?.aborted) return swept
            }
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

async function* walk(db: Database, { table, isExpired, remove, oldestFirst = false }: Sweeping) {
  const key = Object.values(getTableColumns(table)).find(({ primary }) => primary)
  if (!key) throw new Error('a table to sweep needs a primary key of one column')
  for (let last: unknown; ; ) {
    const start = performance.now()
    const concerned = sql`from ${table} where ${key} in (select key from page) and (${isExpired()})`
    const [page] = await db.execute<{ last: unknown; seen: number; concerned: unknown[] }>(sql`
      with page as (
        select ${key} as key from ${table} ${last === undefined ? sql`` : sql`where ${key} > ${last}`}
        order by ${key} limit ${pageSize}
      ), concerned as (
        ${remove ? sql`select ${key} as key ${concerned}` : sql`delete ${concerned} returning ${key} as key`}
      )
      select (select max(key) from page) as last, (select count(*) from page)::int as seen,
        coalesce((select json_agg(key) from concerned), '[]') as concerned`)
    const { seen = 0, concerned: keys = [] } = page ?? {}
    let gone = remove ? 0 : keys.length
    for (const each of remove ? keys : []) gone += Number(await remove?.(each))
    yield gone
    if (seen < pageSize || (oldestFirst && gone === 0)) return
    last = page?.last
    await sleep(pauseFactor * (performance.now() - start), undefined, { ref: false })
  }
}
