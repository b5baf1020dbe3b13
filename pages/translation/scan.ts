import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { betweenTags } from '../../plugins/languages/index.ts'
import { oneLine } from '../../plugins/languages/text.ts'

export interface Use {
  /** As it is looked up in a language. */
  key: string
  line: number
}

const root = fileURLToPath(new URL('../../', import.meta.url))
export const sources = ['{brand,pages,features,plugins}/**/*.{ts,tsx}', 'pages/public/*.html']
const machinery = /^(pages\/translation|plugins\/languages)\//

/** Every text that people read, with the file and line of its first use. */
export function everyText(files = sources): Map<string, { file: string; line: number }> {
  const texts = new Map<string, { file: string; line: number }>()
  for (const file of globSync(files, { cwd: root })
    .toSorted()
    .filter((file) => !machinery.test(file))) {
    const source = readFileSync(root + file, 'utf8')
    const uses: Use[] = file.endsWith('.html') ? textsInHtml(source) : textsIn(source)
    for (const { key, line } of uses) if (!texts.has(key)) texts.set(key, { file, line })
  }
  return texts
}

const literal = `${String.raw`'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`}\`(?:[^\`\\\\$]|\\\\.)*\``
const single = new RegExp(String.raw`(?<![\w.])(?:t|text|rich)\(\s*(${literal})`, 'g')
const counted = new RegExp(String.raw`(?<![\w.])plural\(\s*[^,'"]+?,\s*(?:${literal})\s*,\s*(${literal})`, 'g')

export function textsIn(source: string): Use[] {
  const matches = [...source.matchAll(single), ...source.matchAll(counted)]
  return matches.map((match) => ({ key: contentOf(match[1] ?? ''), line: lineOf(source, match.index) }))
}

const textsInHtml = (source: string): Use[] =>
  Array.from(source.matchAll(betweenTags), (match) => ({
    key: match[0].replace(/\s+/g, ' ').trim(),
    line: lineOf(source, match.index),
  })).filter(({ key }) => /\p{L}/u.test(key))

const lineOf = (source: string, index: number) => source.slice(0, index).split('\n').length

function contentOf(quoted: string) {
  const raw = quoted.slice(1, -1)
  const plain = raw.replace(/\\u\{?([\da-fA-F]+)\}?|\\(.)/g, (_, code, other) =>
    code ? String.fromCodePoint(Number.parseInt(code, 16)) : (escapes[other] ?? other),
  )
  return oneLine(plain)
}

const escapes: Record<string, string> = { n: '\n', t: '\t' }
