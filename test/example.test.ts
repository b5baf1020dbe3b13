import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { testServer } from './helpers/database.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const left = new Set(['node_modules', '.git', '.data', '.tap', 'docs'])

t.test('the example of features/README.md, built word for word, is complete', async (t) => {
  const copy = copyProject(t)
  const run = runningIn(copy)
  const blocks = readFileSync(join(root, 'features/README.md'), 'utf8').matchAll(/^```(\w+) (\S+)\n(.*?)^```$/gms)
  const files = Array.from(blocks, ([, kind = '', file = '', text = '']) => {
    if (kind === 'diff') change(join(copy, file), text)
    else write(join(copy, file), text)
    return file
  })
  t.ok(files.length > 10, 'the example could be read')

  await run('node_modules/.bin/drizzle-kit', 'generate', '--name', 'notes')
  await run('node_modules/.bin/biome', 'check', ...new Set(files))
  await run('node_modules/.bin/tsc', '-p', 'tsconfig.json')
  await run('node_modules/.bin/tsc', '-p', 'pages/tsconfig.json')
  await run(process.execPath, 'test/helpers/before.ts')
  for (const test of ['notes/notes', 'paths', 'architecture']) await run(process.execPath, `test/${test}.test.ts`)
})

function copyProject(t: Test) {
  const copy = mkdtempSync(join(tmpdir(), 'accounts-example-'))
  t.teardown(() => rmSync(copy, { recursive: true }))
  const filter = (path: string) => !left.has(relative(root, path))
  cpSync(root, copy, { recursive: true, filter, preserveTimestamps: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

function write(file: string, text: string) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** A diff without line numbers: the context lines locate it. */
function change(file: string, diff: string) {
  const lines = diff.trimEnd().split('\n')
  const side = (sign: string) => lines.filter((line) => !line.startsWith(sign)).map((line) => `${line.slice(1)}\n`)
  const [before, after] = [side('+').join(''), side('-').join('')]
  const parts = readFileSync(file, 'utf8').split(before)
  assert.equal(parts.length, 2, `${file} has once:\n${before}`)
  writeFileSync(file, parts.join(after))
}

function runningIn(cwd: string) {
  return async (command: string, ...args: string[]) => {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL: await testServer() }
    try {
      // without the loaders that tap adds to every child process
      await promisify(execFile)('env', ['-u', 'NODE_OPTIONS', command, ...args], { cwd, env })
    } catch (error) {
      const { stdout, stderr } = error as { stdout?: string; stderr?: string }
      throw new Error(`${command} ${args.join(' ')}\n${stdout}\n${stderr}`)
    }
  }
}
