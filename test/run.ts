import { execFile, spawn } from 'node:child_process'
import { glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { prepareServer } from './helpers/test-server.ts'

// `npm test`: types, lint, unused code and all tests but the slow ones that .taprc excludes, with a one-line summary at
// the end. `npm test -- FILE…`: only the tests of these files.

const results = '.tap/test-results' // tap writes the output of each file there
const together = '.tap/together' // where neither tsc nor a copy of the project looks
// The others start processes of their own, or measure.
const canShare = /^test\/(?!server|browser|fuzz)\w/
const args = process.argv.slice(2)
// Several checkers resolve the same types once each, which takes twice the processor time.
const oneChecker = ['--checkers', '1']
const named = args.filter((arg) => !arg.startsWith('-')).map((file) => relative('.', file))
// Another run may be writing its own.
const old = named.length > 0 ? named.flatMap((file) => [file, `${file}.tap`]) : ['.']
await Promise.all(old.map((file) => rm(join(results, file), { recursive: true, force: true })))

const checks = named.length > 0 ? [] : await checkCode()
const server = await prepareServer()
// An absolute URL, since some children run in other folders.
const preload = `--import=${new URL('preload.ts', import.meta.url)}`
const tests = await run('tests', 'tap', named.length > 0 ? args : [...args, ...(await byFolder())], {
  NODE_OPTIONS: [process.env.NODE_OPTIONS, preload].join(' ').trim(),
  // Node's own choice. Named here, it holds the preload too, else that alone loads the TypeScript parser each time.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'node-compile-cache'),
})
await server.stop()

const counted = await count()
const passed = counted.passed + checks.filter(Boolean).length
const failed = counted.failed.length + checks.filter((ok) => !ok).length
// A test file or tap that crashes must not pass because no failures were counted.
const missed = !tests && counted.failed.length === 0 ? 1 : 0
// Again and at the end, or they are lost among thousands of lines.
if (counted.files.length > 0) await run('what failed, in full', 'tap', ['replay', '--reporter=terse', ...counted.files])
for (const sentence of counted.failed) console.log(`FAILED: ${sentence}`)
const skipped = counted.skipped > 0 ? `, ${counted.skipped} skipped` : ''
console.log(`${passed} passed, ${failed + missed} failed${skipped}`)
process.exitCode = failed + missed === 0 ? 0 : 1

/**
 * All files. Those of a folder are imported into one, since loading the application takes longer than most tests, and
 * share its process and one application (`sharedApp`).
 */
async function byFolder() {
  const { stdout } = await promisify(execFile)('tap', ['list'])
  const folders = Map.groupBy(stdout.trim().split('\n'), dirname)
  await rm(together, { recursive: true, force: true })
  await mkdir(together, { recursive: true })
  const files = Array.from(folders, async ([folder, files]) => {
    if (!canShare.test(folder) || files.length === 1) return files
    const file = join(together, `${relative('test', folder).replaceAll('/', '-')}.test.ts`)
    await writeFile(file, files.map((file) => `import '../../${file}'\n`).join(''))
    return [file]
  })
  return (await Promise.all(files)).flat()
}

function checkCode() {
  return Promise.all([
    run('types of the server and the tests', 'tsc', ['-p', 'tsconfig.json', ...oneChecker]),
    run('types of the pages', 'tsc', ['-p', 'pages/tsconfig.json', ...oneChecker]),
    run('lint and format', 'biome', ['ci', '.']),
    run('code that nobody uses', 'knip', []),
  ])
}

function run(title: string, command: string, args: string[], environment: Record<string, string> = {}) {
  return new Promise<boolean>((resolve) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...environment },
    })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => {
      console.log(`${code === 0 ? 'ok' : 'FAILED'}: ${title}`)
      resolve(code === 0)
    })
  })
}

/** Counts the sentences of all files, or of those that are named. */
async function count() {
  const counted = { passed: 0, skipped: 0, failed: [] as string[], files: [] as string[] }
  for await (const file of glob(['**/*.tap', `${together}/*.tap`], { cwd: results })) {
    const name = file.replace(/\.tap$/, '')
    if (named.length > 0 && !named.some((prefix) => name.startsWith(prefix))) continue
    const tap = await readFile(join(results, file), 'utf8')
    const failed: string[] = []
    for (const [, not, title = ''] of tap.matchAll(/^(not )?ok \d+ - (.*)$/gm)) {
      if (/ # (SKIP|TODO)/i.test(title)) counted.skipped += 1
      else if (not) failed.push(`${name}: ${title.replace(/ # time=.*/, '')}`)
      else counted.passed += 1
    }
    // A file that exits in the middle has an unfinished sentence, or no plan.
    if (failed.length === 0 && (/^ +not ok \d+ - test unfinished/m.test(tap) || !/^1\.\.\d+/m.test(tap))) {
      failed.push(`${name}: ended early`)
    }
    counted.failed.push(...failed)
    if (failed.length > 0) counted.files.push(name)
  }
  return counted
}
