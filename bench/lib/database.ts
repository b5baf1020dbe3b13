import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { startPostgres } from '../../development/postgres/index.ts'

const name = `accounts_bench_${process.pid}`

/** Creates an empty database on the server of DATABASE_URL, or on an embedded one. */
export async function startDatabase() {
  const folder = fileURLToPath(new URL('../../.data/bench', import.meta.url))
  const given = process.env.DATABASE_URL
  const server = given ? { url: given, stop: async () => {} } : await startPostgres({ folder })

  const sql = postgres(server.url, { max: 1, onnotice: () => {} })
  await sql`drop database if exists ${sql(name)} with (force)`
  await sql`create database ${sql(name)}`

  const url = new URL(server.url)
  url.pathname = `/${name}`
  return {
    url: url.href,
    async stop() {
      await sql`drop database if exists ${sql(name)} with (force)`
      await sql.end()
      await server.stop()
    },
  }
}
