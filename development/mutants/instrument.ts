import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Instrumenter } from '@stryker-mutator/instrumenter'

export const areas = ['plugins/inertia', 'features/accounts', 'features/auth']

export type Mutant = { id: string; file: string; line: number; column: number; was: string; becomes: string }
type Node = { type: string; node: unknown; parent: { type: string; callee?: { name?: string; object?: unknown } } }

/**
 * Fills `copy` with a copy of the project in which the three areas contain every mutant at once. The variable
 * __STRYKER_ACTIVE_MUTANT__ switches one of them on. Returns them with a fingerprint that changes with their numbers.
 */
export async function instrument(copy: string) {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  rmSync(copy, { recursive: true, force: true })
  for (const file of listed.split('\n').filter(Boolean)) {
    cpSync(file, join(copy, file), { force: true, preserveTimestamps: true })
  }
  for (const folder of ['node_modules', 'build']) symlinkSync(join(process.cwd(), folder), join(copy, folder))

  const names = areas.flatMap((area) => globSync(`${area}/**/*.ts`)).sort()
  const sources = new Map(names.map((name) => [name, readFileSync(name, 'utf8')]))
  const files = [...sources].map(([name, content]) => ({ name, content, mutate: true }))
  const options = { plugins: null, excludedMutations: [], ignorers: [{ shouldIgnore }] }
  const instrumented = await new Instrumenter(quiet).instrument(files, options)
  for (const { name, content } of instrumented.files) {
    mkdirSync(dirname(join(copy, name)), { recursive: true })
    writeFileSync(join(copy, name), content)
  }

  const mutants = instrumented.mutants
    .filter(({ status }) => status !== 'Ignored')
    .map(({ id, fileName, location, replacement }): Mutant => {
      const was = between(sources.get(fileName) ?? '', location)
      const { line, column } = location.start
      return { id, file: fileName, line: line + 1, column: column + 1, was, becomes: replacement }
    })
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([...sources]))
    .digest('hex')
  return { mutants, fingerprint }
}

/** Words that only operators read, in errors that are bugs and in the log, may change without breaking a test. */
function shouldIgnore(path: unknown) {
  const { type, parent } = path as Node
  if (type !== 'StringLiteral' && type !== 'TemplateLiteral') return
  if (parent.type === 'NewExpression' && parent.callee?.name === 'Error') return 'words of an error'
  if (parent.type === 'CallExpression' && /"name":"log"/.test(JSON.stringify(parent.callee))) return 'words of the log'
}

type Place = { line: number; column: number }
function between(source: string, { start, end }: { start: Place; end: Place }) {
  const lines = source.split('\n').slice(start.line, end.line + 1)
  lines[lines.length - 1] = lines.at(-1)?.slice(0, end.column) ?? ''
  lines[0] = lines[0]?.slice(start.column) ?? ''
  return lines.join('\n')
}

const nothing = () => {}
const no = () => false
const yes = () => true
const quiet = {
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: console.warn,
  error: console.error,
  fatal: console.error,
  isTraceEnabled: no,
  isDebugEnabled: no,
  isInfoEnabled: no,
  isWarnEnabled: yes,
  isErrorEnabled: yes,
  isFatalEnabled: yes,
}
