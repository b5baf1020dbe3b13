import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Browsers and processes that are started and killed take longest and repeat what others test through the front door.
const left = ['browser', 'commands', 'development', 'fuzz', 'pages', 'server'].map((folder) => `test/${folder}/**`)
const aboutTheSources = ['test/architecture.test.ts', 'test/example.test.ts', 'test/workspace-example.test.ts']

export const testFiles = () => globSync('test/**/*.test.ts', { exclude: [...left, ...aboutTheSources] }).sort()

/** Runs one of the copy's test files until its first failure, or until it took far longer than it should. */
export async function runTest(copy: string, file: string, environment: Record<string, string>, timeoutMs = 240_000) {
  const began = Date.now()
  const child = spawn(process.execPath, ['--import=./server/preload.ts', file], {
    cwd: copy,
    env: { ...process.env, TAP_BAIL: '1', TAP_TIMEOUT: '240', ...environment },
    stdio: 'ignore',
    detached: true, // so that what it has started can be stopped with it
  })
  const timer = setTimeout(stop, timeoutMs)
  const [code] = await once(child, 'exit')
  clearTimeout(timer)
  stop()
  return { passed: code === 0, ms: Date.now() - began }

  function stop() {
    try {
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
    } catch {} // it is gone
  }
}

/** Runs a test file with every mutant switched off, and returns those that its processes have passed. */
export async function cover(copy: string, file: string) {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'))
  const counting = `--import=${join(copy, 'development/mutants/coverage.ts')}`
  const result = await runTest(copy, file, { NODE_OPTIONS: counting, MUTANTS_COVERAGE: folder })
  const reports = globSync(join(folder, '*.json')).map((report): string[] => JSON.parse(readFileSync(report, 'utf8')))
  rmSync(folder, { recursive: true, force: true })
  return { ...result, mutants: [...new Set(reports.flat())] }
}
