import { randomBytes } from 'node:crypto'
import root, { type Test } from 'tap'
import { onServer, prepareServer, template, urlOf } from './test-server.ts'

let server: ReturnType<typeof prepareServer> | undefined

/** Creates a migrated database for this test. */
export async function createDatabase(t: Test) {
  if (!server) {
    server = prepareServer()
    root.teardown(async () => (await server)?.stop())
  }
  const { url } = await server
  const name = `accounts_test_${process.pid}_${randomBytes(6).toString('hex')}`
  await onServer(url, (sql) => sql.unsafe(`create database "${name}" template "${template}" strategy file_copy`))
  t.teardown(() => onServer(url, (sql) => sql.unsafe(`drop database if exists "${name}" with (force)`)))
  return urlOf(url, name)
}
