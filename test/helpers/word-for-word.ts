import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { testServer } from './database.ts'

// What a guide says, done in a copy of the project.

const root = fileURLToPath(new URL('../../', import.meta.url))
const left = new Set(['node_modules', '.git', '.data', '.tap'])

export function copyProject(t: Test) {
  const copy = mkdtempSync(join(tmpdir(), 'accounts-guide-'))
  t.teardown(() => rmSync(copy, { recursive: true }))
  const filter = (path: string) => !left.has(relative(root, path))
  cpSync(root, copy, { recursive: true, filter, preserveTimestamps: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** The code blocks of a guide that name a file or are commands, in their order. */
export const blocksIn = (guide: string) =>
  Array.from(guide.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms), ([, kind = '', file = '', text = '']) => ({
    kind,
    file,
    text,
  }))

export function write(file: string, text: string) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** A diff without line numbers: the context lines locate each of its hunks, which a line with `@@` separates. */
export function change(file: string, diff: string) {
  for (const hunk of diff.split(/^@@\n/m)) {
    const lines = hunk.trimEnd().split('\n')
    const side = (sign: string) => lines.filter((line) => !line.startsWith(sign)).map((line) => `${line.slice(1)}\n`)
    const [before, after] = [side('+').join(''), side('-').join('')]
    const parts = readFileSync(file, 'utf8').split(before)
    assert.equal(parts.length, 2, `${file} has once:\n${before}`)
    writeFileSync(file, parts.join(after))
  }
}

/** Removes the tests with these titles. */
export function removeTests(file: string, titles: string[]) {
  for (const title of titles) {
    const source = readFileSync(file, 'utf8')
    const found = ["'", '"', '`']
      .map((quote) => source.indexOf(`t.test(${quote}${title}${quote}`))
      .find((at) => at >= 0)
    const from = source.lastIndexOf('\n', found) + 1
    assert.notEqual(found, undefined, `${file} has a test “${title}”`)
    const indent = /^ */.exec(source.slice(from))?.[0] ?? ''
    const end = `\n${indent}})\n`
    writeFileSync(file, source.slice(0, from) + source.slice(source.indexOf(end, from) + end.length))
  }
}

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
