import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = fileURLToPath(new URL('../', import.meta.url))

/** What each feature may take from others. */
const mayImport: Record<string, string[]> = {
  accounts: [],
  auth: ['accounts'],
  identity: ['accounts', 'auth'],
  settings: ['accounts', 'auth'],
  live: [],
  health: [],
}

const target = (file: string, from: string) => (from.startsWith('.') ? join(dirname(file), from) : from)

const imports = globSync('{plugins,features,pages,drizzle}/**/*.{ts,tsx}', { cwd: root }).flatMap((file) => {
  const source = readFileSync(join(root, file), 'utf8')
  return [
    ...source.matchAll(
      /(?:^|\n)\s*(import|export)\s+(type\s)?[^'"\n;]*?(?:from\s+)?['"]([^'"]+)['"]|import\(['"]([^'"]+)['"]\)/g,
    ),
  ].map(([, , type, from, dynamic]) => ({
    file,
    typeOnly: type !== undefined,
    target: target(file, from ?? dynamic ?? ''),
  }))
})

const featureOf = (path: string) => /^features\/([^/]+)\//.exec(path)?.[1]

t.test('the imports could be read', async (t) => {
  t.ok(imports.length > 100)
  t.ok(imports.some(({ typeOnly }) => typeOnly))
})

t.test('no plugin imports a feature or a page', async (t) => {
  const wrong = imports.filter(({ file, target }) => file.startsWith('plugins/') && /^(features|pages)\//.test(target))
  t.same(wrong, [])
})

t.test('the adapter imports nothing of the project', async (t) => {
  const inside = (path: string) => path.startsWith('plugins/inertia/')
  const wrong = imports.filter(
    ({ file, target }) => inside(file) && /^(plugins|features|pages|drizzle)\//.test(target) && !inside(target),
  )
  t.same(wrong, [])
})

t.test('pages take only types from the server, besides the addresses', async (t) => {
  const server = /^(plugins|features|drizzle|server|commands|development|test)\/|^[a-z]+\.ts$/
  const wrong = imports.filter(
    ({ file, target, typeOnly }) =>
      file.startsWith('pages/') &&
      file !== 'pages/build.ts' &&
      server.test(target) &&
      !typeOnly &&
      target !== 'features/paths.ts',
  )
  t.same(wrong, [])
})

t.test('a feature imports only what it may', async (t) => {
  const wrong = imports.filter(({ file, target }) => {
    const [from, to] = [featureOf(file), featureOf(target)]
    return from && to && from !== to && !mayImport[from]?.includes(to)
  })
  t.same(wrong, [])
})

t.test('only the configuration reads the environment', async (t) => {
  const readers = globSync(['{app,server}.ts', '{server,commands,plugins,features,drizzle}/**/*.ts'], {
    cwd: root,
  }).filter((file) => /process\.env|import\.meta\.env\.(?!PROD|DEV|SSR)/.test(readFileSync(join(root, file), 'utf8')))
  t.same(readers, ['commands/jobs.ts', 'server/boot.ts'], 'which hand it to the configuration')
})
