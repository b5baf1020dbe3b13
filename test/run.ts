import { spawn } from 'node:child_process'
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

// Runs the tests of the named files and folders, or all. Loading the application takes longer than most tests, so those
// of a folder are imported into one file and share a process. The folders named here start processes of their own:
// those run better side by side.
const alone = ['test/browser', 'test/development', 'test/server']
const together = '.tap/together'

const named = process.argv.slice(2)
const isFile = (path: string) => path.endsWith('.ts')
const testsIn = (path: string) => globSync(isFile(path) ? path : join(path, '**/*.test.ts')).toSorted()

const empty = named.find((path) => testsIn(path).length === 0)
if (empty) {
  console.error(`There are no tests in ${empty}`)
  process.exit(1)
}
const folders = named.length > 0 ? named.filter((path) => !isFile(path)) : ['test', 'examples']
const tests = [...named.filter(isFile), ...byFolder(folders.flatMap(testsIn))]
const tap = spawn('tap', tests, { stdio: 'inherit' })
tap.on('exit', (code) => process.exit(code ?? 1))

function* byFolder(paths: string[]) {
  rmSync(together, { recursive: true, force: true })
  mkdirSync(together, { recursive: true })
  for (const [folder, files] of Map.groupBy(paths, dirname)) {
    const file = join(together, `${folder.replaceAll('/', '-')}.test.ts`)
    if (alone.includes(folder)) yield* files
    else {
      // In a test, or tap would end while a file still waits for its application, and skip what follows.
      const imports = files.map((each) => `import('../../${each}')`).join(', ')
      writeFileSync(file, `import t from 'tap'\nt.test('all files are loaded', () => Promise.all([${imports}]))\n`)
      yield file
    }
  }
}
