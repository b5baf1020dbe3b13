import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'

const folder = new URL('../.data/', import.meta.url)

/** A random secret for development, the same each time. */
export async function keptSecret() {
  await mkdir(folder, { recursive: true })
  const file = new URL('secret', folder)
  try {
    await writeFile(file, randomBytes(64).toString('hex'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFile(file, 'utf8')
}
