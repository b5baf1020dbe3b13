import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { readModules } from '../development/graph/modules.ts'

// `npm run test:changed [-- REF]`: types and lint, then the tests of what changed since REF, which is where the branch
// began unless it is given. A test concerns a change if it imports it, has its place below test/, or names its page.

const git = (...parameters: string[]) => execFileSync('git', parameters, { encoding: 'utf8' }).trim().split('\n')
const [reference = baseOf()] = process.argv.slice(2)
const changed = [...git('diff', '--name-only', reference), ...git('ls-files', '--others', '--exclude-standard')]
const tests = globSync('{test,examples}/**/*.test.ts').toSorted()

const files = reached(changed.filter(Boolean))
const chosen = tests.filter((test) => concerns(test, files))
console.log(`${chosen.length} of ${tests.length} test files concern what changed since ${reference}`)
const left = tests.filter((test) => !chosen.includes(test))
console.log(`left out: ${foldersOf(left).join(', ')}`)

run('npm', ['run', '--silent', 'lint'])
if (chosen.length > 0) run(process.execPath, ['test/run.ts', ...chosen])

function baseOf() {
  const [base] = ['origin/main', 'origin/HEAD', 'main'].flatMap((name) => {
    const { status, stdout } = spawnSync('git', ['merge-base', 'HEAD', name], { encoding: 'utf8' })
    return status === 0 ? [stdout.trim()] : []
  })
  return base ?? 'HEAD'
}

/** The changed files, and what imports them, but not by way of what gathers the whole application. */
function reached(own: string[]) {
  const modules = readModules()
  const gathers =
    /^(app\.ts|drizzle\/schema\.ts|server\/|test\/helpers\/|features\/paths\.ts|pages\/(bundles|signed-in|ssr|main)\b)/
  const all = new Set(own)
  for (const file of all) {
    if (gathers.test(file) && !own.includes(file)) continue
    for (const module of modules.values())
      if (module.imports.some(({ target, typeOnly }) => target === file && !typeOnly)) all.add(module.file)
  }
  return { all, own }
}

function concerns(test: string, { all, own }: { all: Set<string>; own: string[] }) {
  if (all.has(test)) return true
  const source = readFileSync(test, 'utf8')
  return own.some((file) => isMirrored(test, file)) || [...all].some((file) => isNamed(source, file))
}

/** `features/pictures/decoder.ts` has its tests in `test/pictures`, and `plugins/lists.ts` in `test/plugins/lists.test.ts`. */
function isMirrored(test: string, file: string) {
  const place = file.replace(/^features\//, '').replace(/^examples\/(\w+).*/, '../examples/$1/')
  const folder = place.split('/').slice(0, -1).join('/')
  const isSource = /^(features|plugins|server|commands|development|pages|brand|examples)\//.test(file)
  return (
    isSource &&
    (test === `test/${place.replace(/\.tsx?$/, '.test.ts')}` ||
      (folder !== '' && `test/${folder}/` === `${test.split('/').slice(0, -1).join('/')}/`))
  )
}

/** A page's tests name it as the server does: 'settings/profile'. */
function isNamed(source: string, file: string) {
  const [, name] = /^pages\/(.+)\.page\.tsx$/.exec(file) ?? []
  return name !== undefined && source.includes(`'${name}'`)
}

function foldersOf(files: string[]) {
  const folders = Map.groupBy(files, (file) => file.split('/').slice(0, -1).join('/'))
  return Array.from(folders, ([folder, { length }]) => `${folder} (${length})`)
}

function run(command: string, parameters: string[]) {
  const { status } = spawnSync(command, parameters, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
