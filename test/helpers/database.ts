import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import type { Test } from 'tap'
import { startPostgres } from '../../development/postgres/index.ts'
import { addressOf, migrateAll } from './address.ts'
import { databaseFolder } from './memory.ts'

const folder = fileURLToPath(new URL('../../.data/test/', import.meta.url))
const address = `${folder}server`
const given = process.env.DATABASE_URL
const migrations = new URL('../../drizzle/migrations/', import.meta.url)
const jobs = new URL('../../plugins/jobs.ts', import.meta.url)

// Crash safety is useless in tests.
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  min_wal_size: '32MB', // kept in memory, after the tests as well
  max_wal_size: '128MB',
}

/**
 * Runs once before all test files: starts a server, or uses DATABASE_URL's, and creates a migrated template database.
 */
export async function prepareServer() {
  await mkdir(folder, { recursive: true })
  const server = given ?? (await join()).url
  if (!given) await writeFile(address, server, { mode: 0o600 })
  await onServer(server, async (sql) => {
    await dropLeftovers(sql)
    const [existing] = await sql`select 1 from pg_database where datname = ${template}`
    if (!existing) await createTemplate(server, sql)
  })
}

// Created under another name first, so that the template is always fully migrated and has no connections.
async function createTemplate(server: string, sql: postgres.Sql) {
  const draft = nameOf(process.pid)
  await sql.unsafe(`create database "${draft}"`)
  await migrateAll(addressOf(urlOf(server, draft)))
  // Or the sweep of the hour, and its jobs, would get into whatever tests run in that minute.
  await onServer(urlOf(server, draft), (own) => own`delete from pgboss.schedule`)
  const renamed = sql.unsafe(`alter database "${draft}" rename to "${template}"`)
  await renamed.catch(() => sql.unsafe(`drop database "${draft}" with (force)`))
}

/** Drops databases of test files that were killed before they could clean up. */
async function dropLeftovers(sql: postgres.Sql) {
  const databases = await sql<
    { datname: string }[]
  >`select datname from pg_database where datname like 'accounts\_test\_%'`
  for (const { datname } of databases) {
    const pid = Number(datname.split('_')[2])
    if (!isAlive(pid)) await sql.unsafe(`drop database if exists "${datname}" with (force)`)
  }
}

function isAlive(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Runs once after all test files. */
export async function stopServer() {
  if (given) return
  const { stop } = await join()
  await stop()
}

const join = async () => startPostgres({ folder: `${await databaseFolder()}postgres`, settings, stays: true })

/** Keeps the server for a run of tests, whichever other runs in this folder end before it. Returns how to let it go. */
export async function keepServer() {
  if (given) return () => {}
  const { stop } = await startPostgres({ folder: `${await databaseFolder()}postgres`, settings })
  return stop
}

/** The URL of the server that all tests share. */
const testServer = async () => given ?? (await readFile(address, 'utf8'))

/** Creates a migrated database for this test. */
export async function createDatabase(t: Test) {
  const server = await testServer()
  const name = nameOf(process.pid)
  await onServer(server, (sql) => sql.unsafe(`create database "${name}" template "${template}" strategy file_copy`))
  t.teardown(() => onServer(server, (sql) => sql.unsafe(`drop database if exists "${name}" with (force)`)))
  return urlOf(server, name)
}

const nameOf = (pid: number) => `accounts_test_${pid}_${randomBytes(6).toString('hex')}`
const template = `accounts_template_${fingerprint()}`

function fingerprint() {
  const hash = createHash('sha256')
  for (const file of readdirSync(migrations)
    .filter((name) => name.endsWith('.sql'))
    .sort()) {
    hash.update(readFileSync(new URL(file, migrations)))
  }
  hash.update(readFileSync(jobs))
  hash.update(readFileSync(new URL(import.meta.url)))
  return hash.digest('hex').slice(0, 12)
}

async function onServer(url: string, work: (sql: postgres.Sql) => Promise<unknown>) {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await work(sql).finally(() => sql.end())
}

function urlOf(server: string, database: string) {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}
