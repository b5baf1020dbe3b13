import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Features that each feature may import. */
const mayImport: Record<string, string[]> = {
  activity: [],
  accounts: ['activity'],
  auth: ['accounts', 'activity'],
  identity: ['accounts', 'activity', 'auth', 'settings'],
  settings: ['accounts', 'activity', 'auth'],
  passkeys: ['activity', 'auth'],
  pictures: ['accounts', 'activity', 'auth'],
  providers: ['accounts', 'activity', 'auth'],
  'second-factor': ['activity', 'auth', 'providers'],
  languages: ['auth'],
  live: [],
  health: [],
  'well-known': [],
}

/** Tables that each folder may access. For other tables it calls the folder that owns them. */
const mayTouch: Record<string, string[]> = {
  'features/accounts': ['accounts', 'invitations', 'memberships', 'passkeys', 'sessions', 'users'],
  'features/activity': ['accounts', 'activities', 'invitations', 'users'],
  'features/auth': ['activities', 'emailChanges', 'pictures', 'rateLimits', 'sessions', 'users'],
  'features/health': ['emailChanges'],
  'features/identity': ['emailChanges', 'users'],
  'features/languages': ['users'],
  'features/passkeys': ['passkeys', 'spentChallenges', 'users'],
  'features/pictures': ['accounts', 'pictures', 'users'],
  'features/providers': ['identities', 'sessions', 'spentStarts', 'users'],
  'features/second-factor': ['recoveryCodes', 'secondFactors', 'sessions', 'users'],
  'features/settings': ['accounts', 'emailChanges', 'memberships', 'sessions', 'users'],
  'plugins/live': ['liveMessages', 'liveOutbox', 'presences', 'sessions', 'users'],
  'plugins/security': ['rateLimits', 'sessions', 'users'],
}

const target = (file: string, from: string) => (from.startsWith('.') ? join(dirname(file), from) : from)

const folders = 'brand,languages,plugins,features,pages,drizzle,server,commands,development,bench'
const imports = importsOf([`{${folders}}/**/*.{ts,tsx}`, '*.ts'])

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

t.test('pages import only types from the server, the URLs and how texts are said', async (t) => {
  const shared = ['features/paths.ts', 'plugins/languages/text.ts', 'plugins/languages/translate.ts']
  const server = /^(plugins|features|drizzle|server|commands|development|test)\/|^[a-z]+\.ts$/
  const wrong = imports.filter(
    ({ file, target, typeOnly }) =>
      file.startsWith('pages/') &&
      !/^pages\/(build\.ts|translation\/)/.test(file) &&
      server.test(target) &&
      !typeOnly &&
      !shared.includes(target),
  )
  t.same(wrong, [])
})

t.test('there are no import cycles', async (t) => {
  const graph = new Map<string, string[]>()
  // What is loaded later is there by then.
  for (const { file, target } of imports.filter(({ isLater }) => !isLater)) {
    graph.set(file, [...(graph.get(file) ?? []), target])
  }
  const done = new Set<string>()
  const circles: string[] = []
  const walk = (file: string, way: string[]) => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' → '))
    if (done.has(file) || way.includes(file)) return
    for (const next of graph.get(file) ?? []) walk(next, [...way, file])
    done.add(file)
  }
  for (const file of graph.keys()) walk(file, [])
  t.same(circles, [])
})

t.test('every page that the server declares exists, and no other', async (t) => {
  const promised = globSync('features/*/props.ts', { cwd: root }).flatMap((file) =>
    Array.from(readFileSync(join(root, file), 'utf8').matchAll(/^ {4}'([\w/-]+)':/gm), ([, name]) => name),
  )
  const pages = globSync('pages/**/*.page.tsx', { cwd: root }).map((file) =>
    file.slice('pages/'.length, -'.page.tsx'.length),
  )
  t.same(pages.toSorted(), promised.toSorted())
})

t.test('everything in shared/ is used by at least two areas', async (t) => {
  const areaOf = (file: string) => file.split('/')[1] ?? ''
  const usersOf = (file: string): string[] =>
    imports
      .filter(({ target }) => target === file)
      .flatMap((user) => (areaOf(user.file) === 'shared' ? usersOf(user.file) : [areaOf(user.file)]))
  for (const file of globSync('pages/shared/*', { cwd: root })) {
    t.ok(new Set(usersOf(file)).size >= 2, `${file} is used by ${[...new Set(usersOf(file))]}`)
  }
})

t.test('every folder is explained', async (t) => {
  for (const above of ['plugins', 'features', 'pages']) {
    const readme = readFileSync(join(root, above, 'README.md'), 'utf8')
    const folders = globSync(`${above}/*/`, { cwd: root, withFileTypes: true }).filter((entry) => entry.isDirectory())
    // at the start of a line: an example in it may also have such a row
    for (const { name } of folders) t.match(readme, new RegExp(`^\\| \`${name}/\` \\|`, 'm'), `${above}/${name}`)
  }
})

t.test('a feature imports only the features it may', async (t) => {
  const wrong = imports.filter(({ file, target }) => {
    const [from, to] = [featureOf(file), featureOf(target)]
    return from && to && from !== to && !mayImport[from]?.includes(to)
  })
  t.same(wrong, [])
})

t.test('no line is longer than 120 characters, apart from strings that cannot break', async (t) => {
  const browsers = /^ *'Mozilla\/.*',$/
  const expressions = /^ *\/.*\/[a-z]*$/
  const translations = /^ {4,6}(?:(?:'[^']*'|"[^"]*"|\w+): )?['"{].*(?:['"}],|:)$|^ {4}(?:'[^']*'|"[^"]*"):$/
  const drawings = /^ *d="M[^"]*"$/
  const files = globSync(['*.ts', `{${folders},test}/**/*.{ts,tsx}`], { cwd: root })
  const long = files.flatMap((file) => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n')
    return lines.filter((line) => line.length > 120).map((line) => ({ file, line }))
  })
  t.ok(long.length > 20, 'the exceptions are found')
  t.same(
    long
      .filter(({ file, line }) => !(file.startsWith('languages/') && translations.test(line)))
      .filter(({ line }) => ![browsers, expressions, drawings].some((pattern) => pattern.test(line))),
    [],
  )
})

t.test('a folder touches only the tables that it may', async (t) => {
  const schema = globSync('drizzle/tables/*.ts', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'))
  const tables = new Set(Array.from(schema.join('\n').matchAll(/^export const (\w+) = pgTable/gm), ([, name]) => name))
  t.ok(tables.size > 10, 'the tables could be read')
  const touched = new Map<string, Set<string>>()
  for (const file of globSync('{plugins,features}/*/**/*.ts', { cwd: root })) {
    const source = readFileSync(join(root, file), 'utf8')
    const [, names = ''] = /import \{([^}]*)\} from '[^']*drizzle\/schema\.ts'/.exec(source) ?? []
    const folder = file.split('/').slice(0, 2).join('/')
    for (const name of names.split(',').map((name) => name.trim())) {
      if (tables.has(name)) touched.set(folder, (touched.get(folder) ?? new Set()).add(name))
    }
  }
  const listed = Array.from(touched, ([folder, names]) => [folder, [...names].toSorted()])
  t.same(Object.fromEntries(listed), mayTouch)
})

t.test('only the configuration reads the environment', async (t) => {
  const readers = globSync(['{app,server}.ts', '{server,commands,plugins,features,drizzle}/**/*.ts'], {
    cwd: root,
  }).filter((file) => /process\.env|import\.meta\.env\.(?!PROD|DEV|SSR)/.test(readFileSync(join(root, file), 'utf8')))
  t.same(
    readers,
    ['server.ts', 'commands/command.ts', 'server/boot.ts', 'server/prepare-cluster.ts'],
    'which hand it to the configuration',
  )
})

// The server imports development/ only outside of production.
const production = importsOf(['{app,server}.ts', '{server,commands,plugins,features,drizzle}/**/*.ts']).filter(
  ({ target }) => !target.startsWith('development/'),
)

const packageOf = (target: string) => /^(@[^/]+\/)?[^/]+/.exec(target)?.[0] ?? ''

t.test('production runs with the packages that are installed for it, and installs no other', async (t) => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const used = production
    .filter(({ typeOnly, target }) => !typeOnly && !isBuiltin(target) && !/\.\w+$/.test(target))
    .map(({ target }) => packageOf(target))
  t.same([...new Set(used)].toSorted(), Object.keys(dependencies).toSorted())
})

t.test('the image contains every source that production imports', async (t) => {
  const stage =
    readFileSync(join(root, 'Dockerfile'), 'utf8')
      .split(/^FROM /m)
      .at(-1) ?? ''
  const copied = Array.from(stage.matchAll(/^COPY (?!--from)(.+) \S+$/gm), ([, names = '']) => names.split(' ')).flat()
  t.ok(copied.includes('server.ts'))
  const missing = production.filter(
    ({ typeOnly, target }) =>
      !typeOnly && /\.ts$/.test(target) && !copied.some((name) => target === name || target.startsWith(`${name}/`)),
  )
  t.same(missing, [])
})

function importsOf(files: string | string[]) {
  return globSync(files, { cwd: root }).flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    return [
      ...source.matchAll(
        /(?:^|\n)\s*(import|export)\s+(type\s)?(?:[\w\s*${},]*?from\s+)?['"]([^'"]+)['"]|import\(['"]([^'"]+)['"]\)/g,
      ),
    ].map(([, , type, from, dynamic]) => ({
      file,
      typeOnly: type !== undefined,
      isLater: dynamic !== undefined,
      target: target(file, from ?? dynamic ?? ''),
    }))
  })
}
