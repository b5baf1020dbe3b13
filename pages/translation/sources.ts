import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Found, textsIn, textsInHtml } from './scan.ts'

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
    const found: Found[] = file.endsWith('.html') ? textsInHtml(source) : textsIn(source)
    for (const { key, line } of found) if (!texts.has(key)) texts.set(key, { file, line })
  }
  return texts
}
