import { spawn } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// `npm test`: types, lint, unused code and all tests, with a one-line summary at the end.

const results = '.tap/results.tap'
await mkdir('.tap', { recursive: true })

const checks = await Promise.all([
  run('types of the server and the tests', 'tsc', ['-p', 'tsconfig.json']),
  run('types of the pages', 'tsc', ['-p', 'pages/tsconfig.json']),
  run('lint and format', 'biome', ['ci', '.']),
  run('code that nobody uses', 'knip', []),
])
// An absolute URL, since some children run in other folders.
const preload = `--import=${new URL('preload.ts', import.meta.url)}`
const tests = await run('tests', 'tap', [`--output-file=${results}`, ...process.argv.slice(2)], {
  NODE_OPTIONS: [process.env.NODE_OPTIONS, preload].join(' ').trim(),
  // Node's own choice. Named here, it holds the preload too, else that alone loads the TypeScript parser each time.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'node-compile-cache'),
})

const counted = count(await readFile(results, 'utf8').catch(() => ''))
const passed = counted.passed + checks.filter(Boolean).length
const failed = counted.failed + checks.filter((ok) => !ok).length
// A test file or tap that crashes must not pass because no failures were counted.
const missed = !tests && counted.failed === 0 ? 1 : 0
const skipped = counted.skipped > 0 ? `, ${counted.skipped} skipped` : ''
console.log(`${passed} passed, ${failed + missed} failed${skipped}`)
process.exitCode = failed + missed === 0 ? 0 : 1

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

/** Counts the tests inside the files, which are one level below the files in TAP. */
function count(tap: string) {
  const sentences = tap.split('\n').filter((line) => /^ {4}(not )?ok \d+ /.test(line))
  const skipped = sentences.filter((line) => / # (SKIP|TODO)/i.test(line)).length
  const failed = sentences.filter((line) => line.startsWith('    not ok') && !/ # (SKIP|TODO)/i.test(line)).length
  return { passed: sentences.length - failed - skipped, failed, skipped }
}
