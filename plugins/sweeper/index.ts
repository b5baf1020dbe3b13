import { setTimeout as sleep } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
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

type Sweeping = { name: string; table: PgTable; key: PgColumn; over(): SQL | undefined; oldestFirst?: boolean }

const pageSize = 100
const pause = 9 // times as long as the page took

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
          swept[sweeping.name] = 0
          try {
            for await (const gone of walk(app.db, sweeping)) {
              swept[sweeping.name] = (swept[sweeping.name] ?? 0) + gone
              if (signal?.aborted) return swept
            }
          } catch (err) {
            app.log.error({ err, table: sweeping.name }, 'a table was not swept') // continue with the other tables
          }
        }
        app.log.info({ swept }, 'swept')
        return swept
      },
    })
  },
  { name: 'sweeper', dependencies: ['database'] },
)

async function* walk(db: Database, { table, key, over, oldestFirst = false }: Sweeping) {
  for (let last: unknown; ; ) {
    const start = performance.now()
    const [page] = await db.execute<{ last: unknown; seen: number; gone: number }>(sql`
      with page as (
        select ${key} as key from ${table} ${last === undefined ? sql`` : sql`where ${key} > ${last}`}
        order by ${key} limit ${pageSize}
      ), gone as (
        delete from ${table} where ${key} in (select key from page) and (${over()}) returning 1
      )
      select (select max(key) from page) as last, (select count(*) from page)::int as seen,
        (select count(*) from gone)::int as gone`)
    const { seen = 0, gone = 0 } = page ?? {}
    yield gone
    if (seen < pageSize || (oldestFirst && gone === 0)) return
    last = page?.last
    await sleep(pause * (performance.now() - start), undefined, { ref: false })
  }
}
