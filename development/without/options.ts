import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Module, root } from '../graph/modules.ts'
import { type Node, namesBoundBy } from '../graph/syntax.ts'
import { takenExports } from './unused.ts'

/** Something that a copy can take out: a feature or a language that has a document of its name. */
export type Option = {
  name: string
  /** What people would miss. */
  sentence: string
  files: string[]
  lines: number
  /** Options without which this one doesn't work. */
  needs: string[]
}

/** What was written once and stays as it is. */
const isHistory = (file: string) => /^(drizzle\/migrations\/|(CHANGELOG|UPGRADING)\.md$)/.test(file)

/** Whether a path is the option's: a segment is NAME, NAME.ext or with-NAME.ext. */
export const isOf = (name: string, file: string) =>
  !isHistory(file) && file.split('/').some((segment) => segment.split('.')[0]?.replace(/^with-/, '') === name)

const isShared = (file: string) => /(^|\/)with-[^/]+$/.test(file)

export const isTable = (file: string) => file.startsWith('drizzle/tables/')

/** Every file that the repository has or would have, by its path from the root. */
export const everyFile = (cwd = root) =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file && existsSync(join(cwd, file)))

export function readOptions(modules: Map<string, Module>, files: string[], cwd = root): Option[] {
  const rooms = files.filter((file) => /^(features\/[^/]+\/|languages\/[^/]+\.ts$)/.test(file))
  const named = new Set(rooms.map((file) => basename(file.split('/')[1] ?? '', '.ts')))
  const names = [...named].filter((name) => files.includes(`docs/${name}.md`)).toSorted()
  return names.map((name) => {
    const own = files.filter((file) => isOf(name, file))
    const read = (file: string) => readFileSync(join(cwd, file), 'utf8')
    const code = own.filter((file) => /\.(tsx?|css|md)$/.test(file))
    return {
      name,
      sentence: firstSentenceOf(read(`docs/${name}.md`)),
      files: own,
      lines: code.reduce((sum, file) => sum + read(file).split('\n').length - 1, 0),
      needs: names.filter((other) => other !== name && needs(name, other, modules)),
    }
  })
}

/** What is left of options that are out: tables of which nobody reads anything. */
export function leftTables(modules: Map<string, Module>) {
  const taken = takenExports(modules)
  const isUnread = ({ file, tree }: Module) => {
    const names = (tree.body as Node[]).flatMap(namesBoundBy)
    const importers = [...modules.values()].filter(({ imports }) => imports.some(({ target }) => target === file))
    const isInSchema = importers.every((each) => each.file === 'drizzle/schema.ts')
    return isInSchema && !names.some((name) => taken.get('drizzle/schema.ts')?.has(name))
  }
  return [...modules.values()]
    .filter((each) => isTable(each.file) && isUnread(each))
    .map(({ file }) => basename(file, '.ts'))
}

const firstSentenceOf = (document: string) => {
  const paragraph = document.split('\n\n').find((part) => !/^\s*#/.test(part)) ?? ''
  return /^.*?[.!?](?=\s|$)/.exec(paragraph.replace(/\s+/g, ' ').trim())?.[0] ?? ''
}

function needs(name: string, other: string, modules: Map<string, Module>) {
  return [...modules.values()].some(({ file, imports }) => {
    const counts = isOf(name, file) && !isOf(other, file) && !isShared(file) && !/^(test|drizzle)\//.test(file)
    return counts && imports.some(({ target }) => isOf(other, target) && !isOf(name, target) && modules.has(target))
  })
}
