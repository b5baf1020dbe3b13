import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Database } from '../../plugins/database/index.ts'

/** What an option needs to be there as a whole, for tests of all that there is. */
type Whole = {
  environment?: Record<string, string>
  /** What turns off what everybody has unasked. */
  bare?: Record<string, string>
  /** Of its routes. */
  parameters?: Record<string, string>
  /** Rows of the workspace 1. */
  insert?(db: Database): PromiseLike<unknown>
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const wholes: Whole[] = await Promise.all(globSync('test/*/whole.ts', { cwd: root }).map((file) => import(root + file)))

export const environment: Record<string, string> = Object.assign({}, ...wholes.map((each) => each.environment))
export const bare: Record<string, string> = Object.assign({}, ...wholes.map((each) => each.bare))
export const parameters: Record<string, string> = Object.assign({}, ...wholes.map((each) => each.parameters))

export async function insertAll(db: Database) {
  for (const { insert } of wholes) await insert?.(db)
}
