import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** Files or folders, from and to, by their paths from the root. A folder takes along what lies in it. */
export type Moves = [from: string, to: string][]

/** Where a file is afterwards. */
export function moved(file: string, moves: Moves) {
  const move = moves.find(([from]) => file === from || file.startsWith(`${from}/`))
  return move ? move[1] + file.slice(move[0].length) : file
}

/**
 * The source with relative paths, of imports and of links, as they are after the moves of the file and of what they
 * name.
 */
export function withMovedPaths(file: string, source: string, moves: Moves) {
  const isDocument = file.endsWith('.md')
  const to = moved(file, moves)
  return source.replace(isDocument ? links : paths, (path) => {
    const target = join(dirname(file), path)
    const newTarget = moved(target, moves)
    if (newTarget === target && (to === file || !existsSync(target))) return path
    const between = relative(dirname(to), newTarget)
    return isDocument || between.startsWith('.') ? between : `./${between}`
  })
}

const links = /(?<=\]\()[^)#\s:]+/g
const paths = /(?<=['"`])\.\.?\/[\w./-]+\.\w+(?=['"`])/g

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
