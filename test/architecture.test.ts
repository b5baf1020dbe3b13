import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { type Import, readModules, root } from '../development/graph/modules.ts'
import { everyFile, isOf, readOptions } from '../development/without/options.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** Features of the core from the top down. Each imports only those below it. */
const core = [
  ['settings', 'live', 'health'],
  ['identity'],
  ['auth'],
  ['accounts'],
  ['auth/reauthentication'],
  ['activity'],
]
const names = core.flat().toSorted((one, other) => other.length - one.length)

// Dynamic imports are imports, too: a circle behind one makes Vite reload the whole page after each change.
const modules = readModules()
const imports = [...modules.values()]
  .filter(({ file }) => !/^(test|bench|languages)\//.test(file))
  .flatMap((each) => each.imports)

const manifest = JSON.parse(read('package.json'))
const none = (t: Test, isWrong: (each: Import) => boolean) => t.same(imports.filter(isWrong), [])

t.test('imports run down: pages, features, plugins', async (t) => {
  t.ok(imports.length > 1000 && imports.some(({ typeOnly }) => typeOnly), 'the imports could be read')
  none(t, ({ file, target }) => /^(plugins|drizzle)\//.test(file) && /^(features|pages|server|commands)\//.test(target))
  none(t, ({ file, target }) => /^features\//.test(file) && /^(pages|server|commands)\//.test(target))
  none(t, ({ file, target }) => !/^(examples|development)\//.test(file) && /^examples\//.test(target))
  const shared =
    /^features\/(([\w-]+\/){0,2}(paths|bounds|rights|words|days|money)|auth\/methods)\.ts$|^plugins\/languages\/(text|translate|plain)\.ts$/
  const isPage = (file: string) => /^pages\/(?!build\.ts|translation\/)/.test(file)
  const isServer = (target: string) => /^(plugins|features|drizzle|server|commands|development)\//.test(target)
  none(t, ({ file, target, typeOnly }) => isPage(file) && isServer(target) && !typeOnly && !shared.test(target))
})

t.test('the image has whatever the server and the commands import', async (t) => {
  const [image = ''] = read('Dockerfile')
    .split(/^FROM /m)
    .slice(-1)
  const copied = [...image.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, sources = '']) => sources.split(' '))
  const commands = [...modules.keys()].filter((file) => file.startsWith('commands/'))
  const needed = new Set(['server.ts', ...commands])
  // What serves development is loaded there alone.
  for (const file of needed)
    for (const { target, typeOnly } of modules.get(file)?.imports ?? [])
      if (!typeOnly && modules.has(target) && !target.startsWith('development/')) needed.add(target)
  t.ok(needed.size > 100, 'the imports were followed')
  const isCopied = (file: string) => copied.some((source) => file === source || file.startsWith(`${source}/`))
  const missing = [...needed].filter((file) => !isCopied(file))
  t.same(missing, [])
})

t.test('a feature of the core imports only those below it', async (t) => {
  const featureOf = (path: string) => names.find((name) => path.startsWith(`features/${name}/`))
  const levelOf = (feature: string) => core.findIndex((level) => level.includes(feature))
  none(t, ({ file, target }) => {
    const [from, to] = [featureOf(file), featureOf(target)]
    return from !== undefined && to !== undefined && from !== to && levelOf(from) >= levelOf(to)
  })
})

t.test('nothing but what composes the application imports an option, or its tables', async (t) => {
  const options = readOptions(modules, everyFile()).map(({ name }) => name)
  const optionsAt = (path: string) => options.filter((name) => isOf(name, path))
  const composes =
    /^(app\.ts|drizzle\/schema\.ts|pages\/(guest-)?features\.ts|server\/(settings|config)\.ts|commands\/\w+\.ts|development\/.*)$/
  // A feature of a product has a part for an option beside it, such as `api.ts`.
  const isItsOwn = (file: string, target: string) =>
    dirname(file) === dirname(target) && !names.some((name) => file.startsWith(`features/${name}/`))
  none(
    t,
    ({ file, target, found }) =>
      !found &&
      !composes.test(file) &&
      !isItsOwn(file, target) &&
      optionsAt(file).length === 0 &&
      optionsAt(target).length > 0,
  )
})

t.test('there are no import cycles', async (t) => {
  t.ok(
    imports.some(({ file, target }) => file === 'pages/signed-in.ts' && target === 'pages/settings/profile.page.tsx'),
  )
  const graph = Map.groupBy(imports, ({ file }) => file)
  const done = new Set<string>()
  const walk = (file: string, way: string[]): string[] => {
    if (way.includes(file)) return [[...way, file].join(' → ')]
    if (done.has(file)) return []
    done.add(file)
    return (graph.get(file) ?? []).flatMap(({ target }) => walk(target, [...way, file]))
  }
  const cycles = [...graph.keys()].flatMap((file) => walk(file, []))
  t.same(cycles, [])
})

t.test('production loads nothing of development/ but by its doors, and the packages installed for it', async (t) => {
  const isProduction = (file: string) => !/^(pages|development|brand|examples)\/|^(vite|drizzle)\.config/.test(file)
  const doors = ['server/boot.ts', 'commands/command.ts'] // open outside of production alone
  none(t, ({ file, target }) => isProduction(file) && /^development\//.test(target) && !doors.includes(file))
  const used = imports.filter(({ file, typeOnly }) => isProduction(file) && !typeOnly)
  const names = used.flatMap((each) => each.package ?? []).filter((name) => !isBuiltin(name))
  t.same([...new Set(names)].toSorted(), Object.keys(manifest.dependencies).toSorted())
})

t.test('nothing compares with a role that has few rights, which would let an unknown role do more', async (t) => {
  const files = globSync('{features,pages}/**/*.{ts,tsx}', { cwd: root })
  t.ok(files.length > 100)
  const comparing = files.filter((file) => /[!=]== '(admin|member)'/.test(read(file)))
  t.same(comparing, [])
})
