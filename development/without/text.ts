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
      /(, )?\[[^\]]*\]\(([^)#\s]*)(#[^)]*)?\)(?:(?=[,. |\n])(, )?)/g,
      (whole, before, target, _, after) => {
        const isListed = before !== undefined || after !== undefined
        if (!isGone(target) || !isListed) return whole
        return before !== undefined && after !== undefined ? ', ' : ''
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

/** A JSON file without the entries of lists that are paths of what is gone. */
export function withoutEntries(source: string, isGone: (target: string) => boolean) {
  return source
    .replace(/\n\s*"([^"\n]+)"(,?)(?=\s*(\n\s*["\]]))/g, (whole, path: string) => (isGone(path) ? '' : whole))
    .replace(/,(\s*\])/g, '$1')
}
