import { glob, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const results = ['build/client/.vite/manifest.json', 'build/ssr/ssr.js']
const sources = '{{brand,languages}/*,pages/**/*.{ts,tsx,css},features/paths.ts,vite.config.ts,package-lock.json}'

/** Builds the pages unless the last build is newer than all of its sources. */
export async function buildWhatIsStale() {
  const built = await Promise.all(results.map(changedAt))
  const changed = await Promise.all((await Array.fromAsync(glob(sources, { cwd: root }))).map(changedAt))
  if (Math.min(...built) > Math.max(...changed)) return
  const { build } = await import('../pages/build.ts')
  await build()
}

const changedAt = async (file: string) => (await stat(root + file).catch(() => undefined))?.mtimeMs ?? 0
