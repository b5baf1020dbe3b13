import { spawn } from 'node:child_process'
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

// Runs the named test files, or all. Loading the application takes longer than most tests, so those of a folder are
// imported into one file and share a process. The folders named here start processes of their own: those run better side
// by side.
const alone = ['test/browser', 'test/development', 'test/server']
const together = '.tap/together'

const named = process.argv.slice(2)
const tap = spawn('tap', named.length > 0 ? named : [...byFolder()], { stdio: 'inherit' })
tap.on('exit', (code) => process.exit(code ?? 1))

function* byFolder() {
  rmSync(together, { recursive: true, force: true })
  mkdirSync(together, { recursive: true })
  for (const [folder, files] of Map.groupBy(globSync('{test,examples}/**/*.test.ts').toSorted(), dirname)) {
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
