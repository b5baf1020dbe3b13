import { spawn } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'

// `npm test`: types, lint, unused code and every test, closing with one line that counts them.

const results = '.tap/results.tap'
await mkdir('.tap', { recursive: true })

const checks = await Promise.all([
  run('types of the server and the tests', 'tsc', ['-p', 'tsconfig.json']),
  run('types of the pages', 'tsc', ['-p', 'pages/tsconfig.json']),
  run('lint and format', 'biome', ['ci', '.']),
  run('code that nobody uses', 'knip', []),
])
// Each test file loads what the server loads, and as fast as it does. By its full address, because some children work elsewhere.
const preload = `--import=${new URL('../server/preload.ts', import.meta.url)}`
const tests = await run('tests', 'tap', [`--output-file=${results}`, ...process.argv.slice(2)], {
  NODE_OPTIONS: [process.env.NODE_OPTIONS, preload].join(' ').trim(),
})

const counted = count(await readFile(results, 'utf8').catch(() => ''))
const passed = counted.passed + checks.filter(Boolean).length
const failed = counted.failed + checks.filter((ok) => !ok).length
// A file that crashed, or a tap that did, must not pass for want of counted failures.
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

/** Counts sentences: the tests inside the files, one level below them in TAP. */
function count(tap: string) {
  const sentences = tap.split('\n').filter((line) => /^ {4}(not )?ok \d+ /.test(line))
  const skipped = sentences.filter((line) => / # (SKIP|TODO)/i.test(line)).length
  const failed = sentences.filter((line) => line.startsWith('    not ok') && !/ # (SKIP|TODO)/i.test(line)).length
  return { passed: sentences.length - failed - skipped, failed, skipped }
}
