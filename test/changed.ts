import { execFileSync, spawnSync } from 'node:child_process'
import { concernedBy, isTest } from '../development/graph/concerned.ts'
import { readModules } from '../development/graph/modules.ts'

// `npm run test:changed [-- REF]`: types and lint, then the tests of what changed since REF, which is where the branch
// began unless it is given. A test concerns a change if it imports it, has its place or name below test/, or names its
// page.

const git = (...parameters: string[]) => execFileSync('git', parameters, { encoding: 'utf8' }).trim().split('\n')
const [reference = baseOf()] = process.argv.slice(2)
const changed = [...git('diff', '--name-only', reference), ...git('ls-files', '--others', '--exclude-standard')]
const modules = readModules()
const tests = [...modules.keys()].filter(isTest)
const chosen = concernedBy(changed.filter(Boolean), modules)
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

function foldersOf(files: string[]) {
  const folders = Map.groupBy(files, (file) => file.split('/').slice(0, -1).join('/'))
  return Array.from(folders, ([folder, { length }]) => `${folder} (${length})`)
}

function run(command: string, parameters: string[]) {
  const { status } = spawnSync(command, parameters, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
