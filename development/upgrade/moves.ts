import { dirname, join, relative } from 'node:path'
import type { Module } from '../graph/modules.ts'
import { isNode, walk } from '../graph/syntax.ts'

/** Files or folders, from and to, by their paths from the root. A folder takes along what lies in it. */
export type Moves = [from: string, to: string][]

/** Where a file is afterwards. */
export function moved(file: string, moves: Moves) {
  const move = moves.find(([from]) => file === from || file.startsWith(`${from}/`))
  return move ? move[1] + file.slice(move[0].length) : file
}

type Edit = { start: number; end: number; text: string }

/** The source with the paths of its imports as they are after the moves, of the file itself and of what it imports. */
export function withMovedImports({ file, source, tree, imports }: Module, moves: Moves) {
  const targets = new Set(imports.map(({ target }) => target))
  const edits = [...walk(tree)].flatMap((node): Edit[] => {
    const { value, parent } = node
    if (node.type !== 'Literal' || typeof value !== 'string' || !value.startsWith('.')) return []
    const target = join(dirname(file), value)
    const isLink = isNode(parent?.source) && parent.source === node
    if (!isLink && !targets.has(target)) return []
    const text = `'${pathBetween(moved(file, moves), moved(target, moves))}'`
    return [{ start: node.start, end: node.end, text }]
  })
  return edited(source, edits)
}

function pathBetween(file: string, target: string) {
  const path = relative(dirname(file), target)
  return path.startsWith('.') ? path : `./${path}`
}

export function edited(source: string, edits: Edit[]) {
  let result = source
  for (const { start, end, text } of edits.toSorted((one, other) => other.start - one.start))
    result = result.slice(0, start) + text + result.slice(end)
  return result
}

/** A document whose links lead to where the files are afterwards. */
export function withMovedLinks(file: string, source: string, moves: Moves) {
  return source.replace(/\]\(([^)#\s:]+)/g, (whole, link: string) => {
    const target = join(dirname(file), link)
    const to = moved(target, moves)
    if (to === target && moved(file, moves) === file) return whole
    return `](${relative(dirname(moved(file, moves)), to)}`
  })
}

/** Whatever else names a moved file from the root: lists of entries, texts, comments. */
export function withMovedNames(source: string, moves: Moves) {
  return moves.reduce((text, [from, to]) => {
    const isWhole = /\.\w+$/.test(from) ? '' : '(?=/)'
    return text.replace(
      new RegExp(`(?<![\\w/.-])${RegExp.escape?.(from) ?? from.replace(/[.]/g, '\\.')}${isWhole}(?![\\w-])`, 'g'),
      to,
    )
  }, source)
}
