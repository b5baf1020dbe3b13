import type { Test } from 'tap'
import { addressOf } from '../test/helpers/address.ts'
import { startApp as start } from '../test/helpers/app.ts'
import { createDatabase } from '../test/helpers/database.ts'
import { examples, migrateExamples } from './index.ts'

/** Like that of all tests, with the examples in it. */
export async function startApp(t: Test, environment: Record<string, string> = {}) {
  const url = await createDatabase(t)
  await migrateExamples(addressOf(url))
  return start(t, { DATABASE_URL: url, ...environment }, examples)
}
