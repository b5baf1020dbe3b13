import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { whenGone } from '../../development/postgres/when-gone.ts'

const mark = 'STARTED_BY_A_TEST'

const run = randomUUID()
const { PATH, NODE_COMPILE_CACHE } = process.env
let isWatched = false

/**
 * The environment of a process that a test starts. Whatever inherits it ends with the test, even if that is killed and
 * runs no teardown.
 */
export function childEnvironment(): Record<string, string | undefined> {
  if (!isWatched) whenGone(fileURLToPath(new URL('end-children.ts', import.meta.url)), `${mark}=${run}`)
  isWatched = true
  return { PATH, NODE_COMPILE_CACHE, [mark]: run }
}
