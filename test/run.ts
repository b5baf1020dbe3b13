import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { prepareServer, removeServer } from './helpers/test-server.ts'

// Runs the tests of the named files and folders, or all but those of `npm run without -- --check --each`. Loading the
// application takes longer than most tests, so those of a room, or of some small ones, are imported into one file and
// share a process, and a Chromium. The rooms named as alone start processes of their own, and run better side by side.
// What takes longest begins first, or one processor would wait at the end.
const alone = ['test/development', 'test/server', 'test/options']
const longest = ['test/browser', 'test/plugins', ...alone, 'test/locks', 'test/webhooks', 'test/operators']
const filesOfSmallRooms = 20 // for each process
const together = '.tap/together'
const ofCheck = 'test/options/'

const named = process.argv.slice(2)
const isFile = (path: string) => path.endsWith('.ts')
const testsIn = (path: string) => globSync(isFile(path) ? path : join(path, '**/*.test.ts')).toSorted()

const empty = named.find((path) => testsIn(path).length === 0)
if (empty) {
  console.error(`There are no tests in ${empty}`)
  process.exit(1)
}
const folders = named.length > 0 ? named.filter((path) => !isFile(path)) : ['test', 'examples']
const found = folders.flatMap(testsIn).filter((path) => named.length > 0 || !path.startsWith(ofCheck))
const tests = [...named.filter(isFile), ...byFolder(found)]

// Once for all processes. What is wrong with a build or a migration is said once, too.
const startedAt = performance.now()
const server = await prepareServer()
process.on('SIGINT', () => {}) // tap gets it as well, and is waited for
const tap = spawn('tap', tests, { stdio: 'inherit', env: { ...process.env, TEST_SERVER: server.url } })
const [code] = await once(tap, 'exit')
await server.stop()
removeServer()
const seconds = Math.round((performance.now() - startedAt) / 1000)
console.log(code === 0 ? `All tests passed in ${seconds} s` : `Tests failed after ${seconds} s`)
process.exit(code ?? 1)

function* byFolder(paths: string[]) {
  rmSync(together, { recursive: true, force: true })
  mkdirSync(together, { recursive: true })
  let others = 0
  const groupOf = (path: string) => {
    if (alone.includes(dirname(path))) return path
    const room = longest.find((folder) => path.startsWith(`${folder}/`))
    return room ?? `small-rooms-${Math.floor(others++ / filesOfSmallRooms)}`
  }
  const groups = Map.groupBy(paths, groupOf)
  const rank = (group: string) => (longest.findIndex((folder) => group.startsWith(folder)) + 1 || 9) - 1
  let count = 100
  for (const [group, files] of [...groups].toSorted(([one], [other]) => rank(one) - rank(other))) {
    // tap runs its files in the order of their names.
    const file = join(together, `${count++}-${group.replace('.test.ts', '').replaceAll('/', '-')}.test.ts`)
    // In a test, or tap would end while a file still waits for its application, and skip what follows. One after the
    // other, since loading them all at once takes a busy machine longer than an application waits for its database.
    const imports = files.map((each) => `  await import('../../${each}')\n`).join('')
    writeFileSync(file, `import t from 'tap'\nt.test('all files are loaded', async () => {\n${imports}})\n`)
    yield file
  }
}
