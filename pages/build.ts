import { hash } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { createBuilder, normalizePath, type Plugin } from 'vite'
import { BadConfig } from '../server/config.ts'

const root = normalizePath(fileURLToPath(new URL('..', import.meta.url)))

/**
 * Builds the browser's bundle into build/client, the script of every document into build/document, the server's bundle
 * into build/ssr, and the digests of their sources into build/sources.json. Throws if a page does not build.
 */
export async function build() {
  const { NODE_ENV } = process.env
  process.env.NODE_ENV = 'production' // always a production build, whatever the environment of this process
  const startedAt = Date.now()
  const sources = new Set([`${root}package-lock.json`])
  const collectSources: Plugin = {
    name: 'collect-sources',
    generateBundle() {
      for (const id of this.getModuleIds()) sources.add(id.replace(/\?.*$/, ''))
    },
  }
  try {
    const configFile = `${root}vite.config.ts`
    const builder = await createBuilder({ root, configFile, plugins: [collectSources], logLevel: 'warn' })
    for (const file of builder.config.configFileDependencies) sources.add(file)
    for (const environment of Object.values(builder.environments)) await builder.build(environment)
    await writeFile(`${root}build/sources.json`, JSON.stringify(await digestsOf(sources, startedAt)))
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  }
}

/** By path below the root. Packages are known by their lock file, and Vite's own modules are no files. */
async function digestsOf(sources: Set<string>, startedAt: number) {
  const digests: Record<string, string> = {}
  for (const source of sources) {
    if (!source.startsWith(root) || source.includes('/node_modules/')) continue
    const name = source.slice(root.length)
    const content = await readFile(source)
    // Vite joins style sheets before they are modules. The new entries are read in this loop, too.
    const imported = name.endsWith('.css') ? content.toString().matchAll(/@import '(\.[^']+)'/g) : []
    for (const [, path = ''] of imported) sources.add(join(dirname(source), path))
    // A file that was changed during the build may be in it as it was before: it counts as changed.
    digests[name] = (await stat(source)).mtimeMs < startedAt ? hash('sha256', content) : ''
  }
  return digests
}

if (import.meta.main) {
  await build().catch((error) => {
    console.error(error instanceof BadConfig ? error.message : error)
    process.exitCode = 1
  })
}
