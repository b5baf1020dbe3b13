import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { buildWhatIsStale } from '../../development/build.ts'
import { startPostgres } from '../../development/postgres/index.ts'
import { addressOf, migrateAll } from './address.ts'
import { isInMemory, scratch } from './scratch.ts'

const project = fileURLToPath(new URL('../../', import.meta.url))
const schema = ['drizzle/migrations/*.sql', 'plugins/jobs/queues.ts', 'test/helpers/test-server.ts']
const contents = globSync(schema, { cwd: project })
  .toSorted()
  .map((file) => readFileSync(project + file))
const fingerprint = createHash('sha256').update(Buffer.concat(contents)).digest('hex').slice(0, 12)
export const template = `accounts_template_${fingerprint}`

const clone = createHash('sha256').update(project).digest('hex').slice(0, 12)
const folder = isInMemory ? join(scratch, `accounts-test-${clone}`) : join(project, '.data/test/postgres')

// Crash safety is useless in tests. What autovacuum finds would change the plans of queries, at some time or other.
const settings = {
  autovacuum: 'off',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  min_wal_size: '32MB',
  max_wal_size: '128MB',
}

/**
 * Starts or joins the server of all tests, or uses DATABASE_URL's, with a migrated database to copy, and a build. What
 * `test/run.ts` has prepared is there already.
 */
export async function prepareServer() {
  const { TEST_SERVER: prepared, DATABASE_URL: given } = process.env
  if (prepared) return { url: prepared, stop: async () => {} }
  const server = given ? { url: given, stop: async () => {} } : await startPostgres({ folder, settings })
  try {
    await onServer(server.url, async (sql) => {
      await sql`select pg_advisory_lock(2)` // one process after the other
      await buildWhatIsStale()
      await dropLeftovers(sql)
      const [existing] = await sql`select 1 from pg_database where datname = ${template}`
      if (!existing) await createTemplate(server.url, sql)
    })
  } catch (error) {
    await server.stop() // or the process would wait for its connection for ever
    throw error
  }
  return server
}

/** After the last test of a run: gives memory back, unless another run goes on. */
export function removeServer() {
  if (isInMemory && !existsSync(join(folder, 'data/postmaster.pid'))) rmSync(folder, { recursive: true, force: true })
}

// Renamed at the end, so that the template is always complete.
async function createTemplate(server: string, sql: postgres.Sql) {
  const draft = `accounts_test_${process.pid}_template`
  await sql.unsafe(`create database "${draft}"`)
  await migrateAll(addressOf(urlOf(server, draft)))
  // Or the sweep of the hour, and its jobs, would get into whatever tests run in that minute.
  await onServer(urlOf(server, draft), (own) => own`delete from pgboss.schedule`)
  await sql.unsafe(`alter database "${draft}" rename to "${template}"`)
}

/** Drops databases of test files that were killed before they could clean up. */
async function dropLeftovers(sql: postgres.Sql) {
  const found = await sql`select datname as name from pg_database where datname like 'accounts\\_test\\_%'`
  for (const { name } of found) {
    if (!isAlive(Number(name.split('_')[2]))) await sql.unsafe(`drop database if exists "${name}" with (force)`)
  }
}

function isAlive(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

export async function onServer(url: string, work: (sql: postgres.Sql) => Promise<unknown>) {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await work(sql).finally(() => sql.end())
}

export function urlOf(server: string, database: string) {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}
