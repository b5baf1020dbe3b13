import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { concernedBy, isTest } from '../graph/concerned.ts'
import { readModules, root } from '../graph/modules.ts'
import type { Option } from './options.ts'

/**
 * `npm run without -- --check --each`: each option alone, and those that need it. Two at a time, without tests. Then
 * the core runs without sets of them, in which every two meet, and a feature is made and taken out.
 */
export async function checkEach(options: Option[]) {
  const waiting = options.map(({ name }) => [...withDependents(name, options)].toSorted().join(' '))
  const failed: string[] = []
  const take = async () => {
    for (let names = waiting.shift(); names; names = waiting.shift()) {
      const parameters = ['development/without/run.ts', '--check', '--no-tests', ...names.split(' ')]
      const { stdout } = await promisify(execFile)(process.execPath, parameters, { maxBuffer: 2 ** 28 }).catch(
        (error) => {
          failed.push(`without ${names}`)
          return error
        },
      )
      console.log(`without ${names}\n${stdout}`)
    }
  }
  await Promise.all([take(), take()])
  if (!run(root, 'sets of them, and a new feature', 'node', 'test/run.ts', 'test/options')) failed.push('sets')
  for (const line of failed) console.log(`FAILED: ${line}`)
  return failed.length === 0
}

function withDependents(name: string, options: Option[]): Set<string> {
  const dependents = options.filter(({ needs }) => needs.includes(name))
  return new Set([name, ...dependents.flatMap((each) => [...withDependents(each.name, options)])])
}

/** Which tests run: those that concern what went, all that are left, or none. */
type Tests = 'concerned' | 'all' | 'none'

/** `npm run without -- --check NAME…`: takes them out of a copy of HEAD, and says what isn't green there. */
export function check(names: string[], choice: Tests, declared: Map<string, Set<string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'without-'))
  chmodSync(folder, 0o755) // or the user of the tests' Postgres could not enter
  try {
    execFileSync('git', ['clone', '--quiet', '--shared', root, folder])
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    const before = readModules(undefined, folder)
    if (!run(folder, 'without', 'node', 'development/without/run.ts', ...names)) return false

    const isThere = (file: string) => existsSync(join(folder, file))
    const changed = execFileSync('git', ['diff', '--name-only', 'HEAD'], { cwd: folder, encoding: 'utf8' }).split('\n')
    const own = changed.filter((file) => file && (isTest(file) || !isThere(file)))
    const tests = choice === 'concerned' ? concernedBy(own, before).filter(isThere) : []
    const steps = [
      nothingIsLeft(folder, declared),
      run(folder, 'types', 'tsc'),
      run(folder, 'types of pages', 'tsc', '-p', 'pages'),
      run(folder, 'lint', 'biome', 'ci', '.'),
      run(folder, 'unused', 'knip'),
      run(folder, 'words', 'node', 'pages/translation/words.ts', '--strict'),
      run(folder, 'build', 'node', 'pages/build.ts'),
      (choice !== 'all' && tests.length === 0) ||
        run(folder, `tests (${tests.length || 'all'})`, 'node', 'test/run.ts', ...tests),
    ]
    return !steps.includes(false)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const history = ['CHANGELOG.md', 'UPGRADING.md', 'drizzle/', 'package.json', 'development/upgrade/']

// An alert about an event that nobody counts never fires.
const harmless = ['docs/monitoring/']

/** Whether nobody names what was declared. Names of a single common word, such as of a limit, could mean anything. */
function nothingIsLeft(cwd: string, declared: Map<string, Set<string>>) {
  const names = [...declared].flatMap(([kind, found]) => (/^(exports|routes)$/.test(kind) ? [] : [...found]))
  const patterns = names.filter((name) => /_|^[A-Z]/.test(name)).flatMap((name) => ['-e', name])
  if (patterns.length === 0) return true
  const paths = ['--', '.', ...[...history, ...harmless].map((path) => `:!${path}`)]
  const { stdout } = spawnSync('git', ['grep', '-nwF', ...patterns, ...paths], { cwd, encoding: 'utf8' })
  console.log(`what is left: ${stdout === '' ? 'nothing' : `FAILED\n${stdout}`}`)
  return stdout === ''
}

function run(cwd: string, step: string, command: string, ...parameters: string[]) {
  const startedAt = performance.now()
  const program = join('node_modules/.bin', command)
  const { status, stdout, stderr } = spawnSync(program, parameters, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 })
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${step}: ${status === 0 ? 'green' : 'FAILED'} in ${seconds} s`)
  if (status !== 0) console.log(stdout + stderr)
  return status === 0
}
