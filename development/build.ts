import { hash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

// What the pages include by a pattern: a new one is no source of the last build.
const included = '{pages/**/*.page.tsx,languages/*.ts}'

/** Builds the pages unless all sources are those of the last build. */
export async function buildWhatIsStale() {
  if (await isBuilt()) return
  const { build } = await import('../pages/build.ts')
  await build()
}

/** Whether the last build in this folder is of the sources that it has now. */
export async function isBuilt(folder = root) {
  const list = await readFile(join(folder, 'build/sources.json'), 'utf8').catch(() => undefined)
  if (!list) return false
  const digests: Record<string, string> = JSON.parse(list)
  const names = new Set([...Object.keys(digests), ...(await Array.fromAsync(glob(included, { cwd: folder })))])
  const isChanged = async (name: string) => (await digestOf(join(folder, name))) !== digests[name]
  return !(await Promise.all(Array.from(names, isChanged))).includes(true)
}

const digestOf = async (file: string) => hash('sha256', await readFile(file).catch(() => 'no file'))
