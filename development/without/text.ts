import { matchesGlob } from 'node:path'

// Documents and lists of paths: their lines and entries that name a file that is gone.

type Outcome = { source: string; broken: { line: number; text: string }[] }

const link = /\[[^\]]*\]\(([^)#\s]*)(#[^)]*)?\)/g

/** A document without links to what is gone: a part of an enumeration, a row, an item or a whole paragraph goes. */
export function withoutLinks(source: string, isGone: (target: string) => boolean): Outcome {
  const broken: Outcome['broken'] = []
  const isDead = (text: string) => Array.from(text.matchAll(link)).some(([, target = '']) => isGone(target))
  const blocks = blocksOf(source).flatMap(({ text, line }) => {
    if (!isDead(text)) return [text]
    const shorter = text.replace(
      /(,\s)?\[[^\]]*\]\(([^)#\s]*)(#[^)]*)?\)(?:(?=[,. |\n])(,\s)?)/g,
      (whole, before, target, _, after) => {
        const isListed = before !== undefined || after !== undefined
        if (!isGone(target) || !isListed) return whole
        return before !== undefined && after !== undefined ? before : ''
      },
    )
    if (!isDead(shorter)) return [shorter]
    if (/^\s*([-*|]|\d+\.) ?/.test(text)) return []
    broken.push({ line, text: text.trim().split('\n')[0] ?? '' })
    return [text]
  })
  return { source: blocks.join(''), broken }
}

/** Rows, items with their further lines, and paragraphs. */
function blocksOf(source: string) {
  const blocks: { text: string; line: number }[] = []
  source.split(/(?<=\n)/).forEach((text, index) => {
    const last = blocks.at(-1)
    const continues = last && !/^\s*([-*|#]|\d+\. |```|$)/.test(text) && !/^\s*(\||#|```|$)/.test(last.text)
    if (continues) last.text += text
    else blocks.push({ text, line: index + 1 })
  })
  return blocks
}

/** A JSON file without the entries of lists that are paths, or patterns of paths, of nothing but what is gone. */
export function withoutEntries(source: string, files: string[], isGone: (target: string) => boolean) {
  const isEmpty = (pattern: string) => {
    const found = files.filter((file) => matchesGlob(file, pattern))
    return found.length > 0 && found.every(isGone)
  }
  return source
    .replace(/\n\s*"([^"\n]+)"(,?)(?=\s*(\n\s*["\]]))/g, (whole, path: string) => (isEmpty(path) ? '' : whole))
    .replace(/,(\s*\])/g, '$1')
}

/** The environment's example and the table of settings, without these settings and what is said of them alone. */
export function withoutSettings(source: string, names: string[]) {
  const nameAt = (line: string) => /^(?:# ?)?([A-Z][A-Z0-9_]*)=/.exec(line)?.[1]
  const isGone = (line: string) => names.includes(nameAt(line) ?? '')
  const isRow = (line: string) => {
    const [, first = ''] = /^\| (`[A-Z][^|]*) \|/.exec(line) ?? []
    const listed = Array.from(first.matchAll(/`(\w+)`/g), ([, name = '']) => name)
    return listed.length > 0 && listed.every((name) => names.includes(name))
  }
  return groupsOf(source, nameAt)
    .flatMap((lines) => {
      const kept = lines.filter((line) => !isGone(line) && !isRow(line))
      const isAboutOthers = kept.some((line) => nameAt(line) !== undefined)
      return lines.some(isGone) && !isAboutOthers ? [] : kept
    })
    .join('\n')
}

/** Settings with the comment above them, each blank line, and each line of anything else. */
function groupsOf(source: string, nameAt: (line: string) => string | undefined) {
  const groups: string[][] = []
  for (const line of source.split('\n')) {
    const last = groups.at(-1)?.at(-1)
    const continues =
      last !== undefined && /^#|=/.test(last) && (nameAt(line) !== undefined || (/^#/.test(line) && !nameAt(last)))
    if (continues) groups.at(-1)?.push(line)
    else groups.push([line])
  }
  return groups
}
