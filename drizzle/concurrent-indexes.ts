import type pg from 'pg'
import { type Address, DatabaseUnusable, withClient } from '../plugins/database/index.ts'

type Migration = { tag: string; statements: string[] }

const concurrent = /^\s*(create( unique)?|drop) index concurrently /im
const created = /^\s*create(?: unique)? index concurrently if not exists ("?\w+"?)/im

/** Whether it creates or drops indexes while their tables are in use, which Postgres refuses in a transaction. */
export function isConcurrent({ tag, statements }: Migration) {
  const count = statements.filter((statement) => concurrent.test(statement)).length
  if (count > 0 && count < statements.length)
    throw new DatabaseUnusable(`Migration ${tag} has more than concurrent indexes: give these a migration of their own`)
  return count > 0
}

/** For a database that nobody uses yet. */
export const withoutConcurrency = <M extends Migration>(migration: M): M => ({
  ...migration,
  statements: migration.statements.map((statement) => statement.replace(concurrent, '$1 index ')),
})

/**
 * On a second connection, while the transaction of the first keeps the lock. `onWait` is called every ten seconds: a
 * concurrent index waits for every transaction that began before it, a dump included.
 */
export async function changeIndexes(locking: pg.Client, address: Address, statements: string[], onWait: () => void) {
  const waiting = setInterval(() => {
    onWait()
    locking.query('select').catch(() => {}) // or its transaction would end for being idle
  }, 10_000)
  const limits = { answer: 0 }
  try {
    await withClient(address, (client) => changeEach(client, statements), limits)
  } finally {
    clearInterval(waiting)
  }
}

async function changeEach(client: pg.Client, statements: string[]) {
  // Those who use the table don't wait for it, so it may wait for them.
  await client.query('set statement_timeout = 0; set lock_timeout = 0')
  for (const statement of statements) {
    const [, index] = created.exec(statement) ?? []
    if (index && (await isInvalid(client, index))) await client.query(`drop index concurrently if exists ${index}`)
    await client.query(statement)
  }
}

/** One whose creation was interrupted is there, slows writers down, is never used, and "if not exists" keeps it. */
async function isInvalid(client: pg.Client, index: string) {
  const { rowCount } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [index],
  )
  return rowCount === 1
}
