import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { readMigrations } from '../../drizzle/migrate.ts'
import { emailChanges } from '../../drizzle/schema.ts'
import { prefersJson } from '../../plugins/http/errors.ts'
import { paths } from '../paths.ts'

const probeTimeoutMs = 1_500 // callers are promised an answer within two seconds

const forbidden = '42501' // migrations may belong to another role

/** `/up` queries no database: an outage there must not restart every container. `/up/ready` does. */
export async function health(app: FastifyInstance) {
  const config = { unlogged: true } as const

  app.get(paths.health().url, { config }, (request, reply) => {
    reply.headers({ vary: 'Accept', 'cache-control': 'max-age=0, private, must-revalidate' })
    if (prefersJson(request.headers.accept)) return reply.send({ status: 'up', timestamp: new Date().toISOString() })
    reply.header('content-language', 'en')
    return reply.type('text/html; charset=utf-8').send(healthPage(reply.nonce))
  })

  app.get(paths.readiness().url, { config }, async (_request, reply) => {
    const reason = app.lifecycle.closing ? 'closing' : await databaseProblem()
    reply.header('cache-control', 'no-store')
    return reason ? reply.code(503).send({ status: 'unready', reason }) : reply.send({ status: 'ready' })
  })

  // Concurrent probes share one query, so they do not pile up while the database hangs.
  let asking: Promise<boolean> | undefined
  async function databaseProblem() {
    asking ??= isThere().finally(() => {
      asking = undefined
    })
    const answered = await Promise.race([asking, sleep(probeTimeoutMs, false)])
    if (app.lifecycle.closing) return 'closing'
    return answered ? undefined : 'database'
  }

  // Also false on a database that lacks a migration, for example after it was restored or someone failed over to it.
  const hashes = readMigrations().map(({ hash }) => hash)
  const migrated = sql`
    select count(distinct hash)::int as count from drizzle.__drizzle_migrations where hash in ${hashes}`
  const isMigrated = () =>
    app.db.execute(migrated).then(
      ({ rows }) => rows[0]?.count === hashes.length,
      (error) => error.cause?.code === forbidden, // the database itself answered this
    )

  // Finds no row, but needs the right to write, so a database that only reads is not ready. It fails like a write,
  // which closes a connection that would otherwise stay read-only.
  const takesWrites = () =>
    app.db.execute(sql`select from ${emailChanges} where false for update`).then(
      () => true,
      () => false,
    )
  const isThere = async () => (await Promise.all([takesWrites(), isMigrated()])).every(Boolean)
}

const healthPage = (nonce: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Up</title>
    <style nonce="${nonce}">
      :root { color-scheme: light dark; background: light-dark(green, darkgreen); color: #fff; }
      body { display: grid; place-content: center; min-height: 100vh; margin: 0; font: 1.5rem system-ui, sans-serif; }
    </style>
  </head>
  <body>
    <h1>Up</h1>
  </body>
</html>
`
