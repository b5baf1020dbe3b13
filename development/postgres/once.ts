import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Creates a folder completely or not at all. A draft that a crash left behind is discarded. */
export async function once(target: string, make: (draft: string) => Promise<unknown>) {
  if (existsSync(target)) return
  // each attempt uses its own name: the program of a killed attempt may still be writing, and cleans up its folder when
  // it fails
  const drafts = (await readdir(dirname(target))).filter((name) => name.startsWith(`${basename(target)}.`))
  await Promise.allSettled(drafts.map((name) => rm(join(dirname(target), name), { recursive: true, force: true })))
  const draft = `${target}.${randomUUID()}`
  await make(draft)
  await rename(draft, target)
}
