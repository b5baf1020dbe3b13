import { createHash } from 'node:crypto'
import { lstat, mkdir, statfs } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const disk = fileURLToPath(new URL('../../.data/test/', import.meta.url))
const memory = `/dev/shm/accounts-test-${createHash('sha256').update(disk).digest('hex').slice(0, 16)}/`
const room = 2 ** 30 // bytes

/**
 * A folder for the databases of tests, in memory where there is room: creating and dropping hundreds of them took a
 * fifth of the tests' processor time on a disk. Stays the same once it was chosen.
 */
export async function databaseFolder() {
  const existing = await ownerOf(memory)
  if (existing === undefined && (await freeMemory()) >= room) await mkdir(memory, { mode: 0o755 }).catch(() => {})
  // anyone can write to /dev/shm, and could plant a database there
  const folder = (await ownerOf(memory)) === process.getuid?.() ? memory : disk
  await mkdir(folder, { recursive: true })
  return folder
}

const ownerOf = (folder: string) =>
  lstat(folder).then(
    ({ uid }) => uid,
    () => undefined,
  )

const freeMemory = () =>
  statfs('/dev/shm').then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
