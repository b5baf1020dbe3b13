import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { optionSettings } from '../../plugins/settings.ts'
import { type Module, readModules, root } from '../graph/modules.ts'
import { mentionsOf } from '../mentions.ts'
import { checkEach, check as checkWithout } from './check.ts'
import { declaredBy } from './declared.ts'
import { everyFile, isOf, isTable, leftTables, type Option, readOptions } from './options.ts'
import { type Broken, packagesOf, packagesOfProduction, planWithout } from './plan.ts'
import { withoutEntries, withoutLinks, withoutSettings } from './text.ts'

// `npm run without [-- NAME… [--tables] | --all | --again]`: lists what a copy can take out, or takes it out. What
// belongs to an option is asked of paths and of the graph of imports (docs/options.md). `--check` tries it in a copy.

class Refusal extends Error {}

const arguments_ = process.argv.slice(2)
const isOn = (flag: string) => arguments_.includes(flag)
const manifest = () => JSON.parse(readFileSync('package.json', 'utf8'))

try {
  const unresolved = spawnSync('git', ['grep', '-lE', '^(<{7}|>{7}) '], { encoding: 'utf8' }).stdout.trim()
  if (unresolved) throw new Refusal(`Conflict markers are left in ${unresolved.replaceAll('\n', ', ')}`)
  const modules = readModules()
  const files = everyFile()
  const options = readOptions(modules, files)
  const every = options.map(({ name }) => name)
  const named = isOn('--all') ? every : arguments_.filter((each) => !each.startsWith('--'))
  const names: string[] = isOn('--again') ? (manifest().without ?? []) : named
  if (isOn('--check') && isOn('--each')) {
    if (!(await checkEach(options))) process.exitCode = 1
  } else if (names.length === 0 && !isOn('--again')) list(options)
  else if (isOn('--check')) {
    check(names, options)
    const declared = declaredIn(names, modules, await settingsOf(files.filter(isOfAny(names))))
    const tests = isOn('--no-tests') ? 'none' : names.length === every.length ? 'all' : 'concerned'
    if (!checkWithout(names, tests, declared)) process.exitCode = 1
  } else await takeOut(names, options, modules)
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  console.error(error.message)
  process.exitCode = 1
}

function list(options: Option[]) {
  for (const { name, sentence, lines } of options) {
    const dependents = options.filter(({ needs }) => needs.includes(name)).map((each) => each.name)
    const needed = dependents.length > 0 ? ` Needed by ${dependents.join(', ')}.` : ''
    console.log(`${name} (${lines} lines): ${sentence}${needed}`)
  }
}

async function takeOut(names: string[], options: Option[], modules: Map<string, Module>) {
  const again = isOn('--again')
  const left = isOn('--tables') ? leftTables(modules) : []
  const known = names.filter((name) => !left.includes(name) && (!again || options.some((each) => each.name === name)))
  check(known, options)
  if (!again && execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8' }) !== '')
    throw new Refusal('The work tree has changes: commit or stash them first')

  const files = everyFile()
  const own = files.filter((file) => isOfAny(names)(file) && (isOn('--tables') || !isTable(file)))
  // In a merge, a file that was resolved by theirs leads to files that are out already.
  const missing = [...modules.values()]
    .flatMap(({ imports }) => imports)
    .filter((each) => each.package === undefined && isOfAny(names)(each.target) && !existsSync(each.target))
    .map(({ target }) => target)
  const settings = await settingsOf(own)
  const declared = declaredIn(names, modules, settings)
  for (const [kind, found] of declared)
    if (found.size > 0) console.log(`${kind}: ${kind === 'exports' ? found.size : [...found].join(', ')}`)

  const dropped = isOn('--tables') ? [...(declared.get('tables') ?? [])] : []
  const migrations = globSync('drizzle/migrations/*.sql').toSorted()
  const mentions = mentionsOf(
    dropped,
    migrations.map((file) => readFileSync(file, 'utf8')),
  )
  if (mentions.length > 0) throw new Refusal(`Drop first, in a migration of its own: ${mentions.join(', ')}`)

  const tables = files.filter((file) => isTable(file) && isOfAny(names)(file) && !own.includes(file))
  const plan = planWithout([...own, ...missing], modules, tables)
  const texts = new Map<string, string>()
  const broken: Broken[] = [...plan.broken]
  for (const file of files.filter((each) => !plan.gone.has(each))) {
    const { source, problems } = textOf(file, files, (target) => plan.gone.has(target), settings)
    if (source !== undefined) texts.set(file, source)
    broken.push(...problems)
  }
  if (broken.length > 0) {
    const lines = broken.map(({ file, line, text }) => `${file}:${line}: ${text}`)
    for (const line of new Set(lines)) console.error(line)
    throw new Refusal('Nothing was changed: these lines are more than a statement or a member (docs/options.md)')
  }

  const needed = packagesOf(plan.modules).union(packagesInStyles(files.filter((file) => !plan.gone.has(file))))
  const packages = [...packagesOf(modules).union(packagesInStyles(files)).difference(needed)]
  for (const file of plan.gone) remove(file)
  for (const [file, source] of [...plan.changed, ...texts]) writeFileSync(file, source)
  record(names, packages, packagesOfProduction(modules).difference(packagesOfProduction(plan.modules)))
  const format = ['check', '--write', ...[...plan.changed.keys(), 'package.json'].filter((file) => existsSync(file))]
  // What is left to say, such as a parameter that nothing reads any more, is for the person who reads the difference.
  spawnSync('node_modules/.bin/biome', format, { stdio: 'inherit' })
  if (existsSync('pages/translation/words.ts'))
    execFileSync(process.execPath, ['pages/translation/words.ts', '--prune'], { stdio: 'inherit' })
  console.log(
    `${plan.gone.size} files are gone, ${plan.changed.size + texts.size} changed. Read the difference, then run npm test`,
  )
}

/** With the folders that it leaves empty. */
function remove(file: string) {
  rmSync(file, { force: true })
  let folder = dirname(file)
  while (existsSync(folder) && readdirSync(folder).length === 0) {
    rmdirSync(folder)
    folder = dirname(folder)
  }
}

function check(names: string[], options: Option[]) {
  const unknown = names.find((name) => !options.some((option) => option.name === name))
  if (unknown) throw new Refusal(`There is no option ${unknown}: npm run without lists them`)
  for (const { name, needs } of options.filter((option) => !names.includes(option.name))) {
    const missing = needs.filter((each) => names.includes(each))
    if (missing.length > 0)
      throw new Refusal(
        `${name} needs ${missing.join(' and ')}: take out ${missing.length > 1 ? 'all' : 'both'}, or neither`,
      )
  }
}

function isOfAny(names: string[]) {
  return (file: string) => names.some((name) => isOf(name, file))
}

function declaredIn(names: string[], modules: Map<string, Module>, settings: string[]) {
  const own = [...modules.values()].filter(({ file }) => isOfAny(names)(file))
  return declaredBy(own).set('settings', new Set(settings))
}

/** The environment variables that `features/NAME/settings.ts` defines. */
async function settingsOf(files: string[]) {
  const paths = files.filter((file) => /^features\/[^/]+\/settings\.ts$/.test(file))
  await Promise.all(paths.map((file) => import(join(root, file))))
  return optionSettings.flatMap(({ variables }) => Object.keys(variables))
}

/** What a document, a list of styles or of paths becomes. */
function textOf(file: string, files: string[], isGone: (target: string) => boolean, settings: string[]) {
  const isGoneFrom = (target: string) => !/^\w+:/.test(target) && isGone(join(dirname(file), target))
  const read = () => readFileSync(file, 'utf8')
  let source: string | undefined
  let problems: Broken[] = []
  if (/^(CHANGELOG|UPGRADING)\.md$/.test(file)) return { source, problems }
  if (file.endsWith('.md')) {
    const outcome = withoutLinks(read(), isGoneFrom)
    source = withoutSettings(outcome.source, settings)
    problems = outcome.broken.map((place) => ({ file, ...place }))
  } else if (file === '.env.example') source = withoutSettings(read(), settings)
  else if (/^(knip|tsconfig|biome)\.json$/.test(file)) source = withoutEntries(read(), files, isGone)
  else if (file.endsWith('.css'))
    source = read().replace(/^@import '([^']+)'.*\n/gm, (line, target) => (isGoneFrom(target) ? '' : line))
  return { source: source === undefined || source === read() ? undefined : source, problems }
}

/** The packages whose files style sheets name, such as typefaces. */
function packagesInStyles(files: string[]) {
  const urls = files
    .filter((file) => file.endsWith('.css'))
    .flatMap((file) => Array.from(readFileSync(file, 'utf8').matchAll(/url\('(@[\w-]+\/[\w-]+)\//g)))
  return new Set(urls.map(([, name = '']) => name))
}

/** Whether only this copy has it, so that no merge brings it back. */
function isOurs(name: string) {
  const paths = [`features/${name}`, `languages/${name}.ts`]
  const { status, stdout } = spawnSync('git', ['ls-tree', 'upstream/main', ...paths], { encoding: 'utf8' })
  return status === 0 && stdout === ''
}

/** In package.json: what went, without the packages that nobody imports any more, or that production doesn't. */
function record(names: string[], packages: string[], unloaded: Set<string>) {
  const { without = [], ...others } = manifest()
  const dropped = packages.flatMap((name) => [name, `@types/${name}`])
  for (const kind of ['dependencies', 'devDependencies'])
    others[kind] = Object.fromEntries(Object.entries(others[kind]).filter(([name]) => !dropped.includes(name)))
  const stays = Object.entries<string>(others.dependencies).filter(([name]) => unloaded.has(name))
  for (const [name, version] of stays) {
    delete others.dependencies[name]
    others.devDependencies[name] = version
  }
  const all = [...new Set([...without, ...names.filter((name) => !isOurs(name))])].toSorted()
  writeFileSync('package.json', `${JSON.stringify({ ...others, ...(all.length > 0 && { without: all }) }, null, 2)}\n`)
  if (dropped.length + unloaded.size === 0) return
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts', '--offline', '--no-audit', '--no-fund'], {
    stdio: 'pipe',
  })
}
