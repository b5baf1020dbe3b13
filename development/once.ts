import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Makes a folder whole or not at all: one that a crash left half made is made again. */
export async function once(target: string, make: (draft: string) => Promise<unknown>) {
  if (existsSync(target)) return
  // each try has a name of its own: the program of a killed try may still be writing, and clears its folder when it fails
  const drafts = (await readdir(dirname(target))).filter((name) => name.startsWith(`${basename(target)}.`))
  await Promise.allSettled(drafts.map((name) => rm(join(dirname(target), name), { recursive: true, force: true })))
  const draft = `${target}.${randomUUID()}`
  await make(draft)
  await rename(draft, target)
}
