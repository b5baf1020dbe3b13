import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const memory = '/dev/shm'
const enough = 2 * 1024 ** 3

/**
 * Where tests keep databases: in memory, if there is room. A database is 330 files, and after many have been deleted,
 * ext4 looks longer and longer for each new one: more than half of what Postgres did in the tests.
 */
export const isInMemory = freeBytesOf(memory) > enough
export const scratch = isInMemory ? memory : tmpdir()

function freeBytesOf(folder: string) {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return 0 // there is no such folder
  }
}
