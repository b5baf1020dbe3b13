import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { testServer } from '../helpers/database.ts'

// What a guide says, done in a copy of the project.

const root = fileURLToPath(new URL('../../', import.meta.url))
const left = new Set(['node_modules', '.git', '.data', '.tap'])

/**
 * A copy that works here. If it is `whole`, all tests run in it: some clone it, some run as another user or with leave
 * to read nothing else, so it is a repository with packages of its own.
 */
export function copyProject(t: Test, { whole = false } = {}) {
  const copy = mkdtempSync(join(tmpdir(), 'accounts-guide-'))
  t.teardown(() => rmSync(copy, { recursive: true }))
  const filter = (path: string) => !left.has(relative(root, path))
  cpSync(root, copy, { recursive: true, filter, preserveTimestamps: true })
  const [ours, theirs] = [join(root, 'node_modules'), join(copy, 'node_modules')]
  if (!whole) symlinkSync(ours, theirs)
  else {
    cpSync(ours, theirs, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
    chmodSync(copy, 0o755)
    execFileSync('git', ['init', '--quiet', copy])
  }
  return copy
}

/** The code blocks of a guide that name a file or are commands, in their order. */
export const blocksIn = (guide: string) =>
  Array.from(guide.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms), ([, kind = '', file = '', text = '']) => ({
    kind,
    file,
    text,
  }))

/** What stands below this heading, up to the next one of its level. Throws if there is none. */
export function sectionOf(file: string, heading: string) {
  const lines = readFileSync(join(root, file), 'utf8').split('\n')
  const start = lines.indexOf(heading)
  assert.notEqual(start, -1, `${file} has the heading “${heading}”`)
  const [level = ''] = /^#+ /.exec(heading) ?? []
  const end = lines.findIndex((line, at) => at > start && line.startsWith(level))
  return lines.slice(start + 1, end === -1 ? undefined : end).join('\n')
}

/** `limit` is the one that it adds. */
type Example = { guide: string; heading: string; migration: string; limit: string }

/** Builds a guide's example in a copy of the project, which then compiles, says everything and passes these tests. */
export async function buildExample(t: Test, { guide, heading, migration, limit }: Example, tests: string[]) {
  const blocks = blocksIn(sectionOf(guide, heading)).filter(({ file }) => file !== '')
  t.ok(blocks.length > 10, 'the example could be read')
  const copy = copyProject(t)
  const run = runningIn(copy)
  for (const { kind, file, text } of blocks) {
    if (kind === 'diff') edit(join(copy, file), (source) => changed(source, text))
    else write(join(copy, file), text)
  }

  await run('node_modules/.bin/drizzle-kit', 'generate', '--name', migration)
  await run('node_modules/.bin/biome', 'check', ...new Set(blocks.map(({ file }) => file)))
  await run('node_modules/.bin/tsc', '-p', 'tsconfig.json')
  await run('node_modules/.bin/tsc', '-p', 'pages/tsconfig.json')
  await run(process.execPath, 'pages/translation/words.ts', '--strict')
  await run('node_modules/.bin/knip')
  await run(process.execPath, 'test/helpers/before.ts')
  for (const test of [...tests, 'paths', 'architecture']) await run(process.execPath, `test/${test}.test.ts`)
  // of its subtests, which take a minute
  const only = `TAP_GREP=/./\n/^${limit}$/`
  await run(only, process.execPath, 'test/plugins/security/limits.test.ts')
}

function write(file: string, text: string) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

export const edit = (file: string, change: (source: string) => string) =>
  writeFileSync(file, change(readFileSync(file, 'utf8')))

/** A diff without line numbers: the context lines locate each of its hunks, which a line with `@@` separates. */
export const changed = (source: string, diff: string) =>
  diff.split(/^@@\n/m).reduce((text, hunk) => {
    const lines = hunk.trimEnd().split('\n')
    const side = (sign: string) => lines.filter((line) => !line.startsWith(sign)).map((line) => `${line.slice(1)}\n`)
    const [before, after] = [side('+').join(''), side('-').join('')]
    const parts = text.split(before)
    assert.equal(parts.length, 2, `there is once:\n${before}`)
    return parts.join(after)
  }, source)

/** Without the tests with these titles, one in a line. */
export const withoutTests = (source: string, titles: string) =>
  titles
    .trim()
    .split('\n')
    .reduce((text, title) => {
      const found = ["'", '"', '`']
        .map((quote) => text.indexOf(`t.test(${quote}${title}${quote}`))
        .find((at) => at >= 0)
      const from = text.lastIndexOf('\n', found) + 1
      assert.notEqual(found, undefined, `there is a test “${title}”`)
      const indent = /^ */.exec(text.slice(from))?.[0] ?? ''
      const end = `\n${indent}})\n`
      return text.slice(0, from) + text.slice(text.indexOf(end, from) + end.length)
    }, source)

export function runningIn(cwd: string) {
  return async (command: string, ...args: string[]) => {
    const { PATH, HOME } = process.env
    const env = { PATH, HOME, DATABASE_URL: await testServer(), TAP_TIMEOUT: '480' }
    try {
      // without the loaders that tap adds to every child process
      await promisify(execFile)('env', ['-u', 'NODE_OPTIONS', command, ...args], { cwd, env, maxBuffer: 1e8 })
    } catch (error) {
      const { stdout, stderr } = error as { stdout?: string; stderr?: string }
      throw new Error(`${command} ${args.join(' ')}\n${stdout}\n${stderr}`)
    }
  }
}
