import { readFileSync } from 'node:fs'
import { translateHtml } from '../languages/html.ts'
import type { Catalog } from '../languages/index.ts'

const names: Record<number, string> = { 404: '404', 406: '406-unsupported-browser', 422: '422' }
const nameOf = (status: number) => names[status] ?? (status >= 500 ? '500' : '400')

/** The static error pages of a folder, in all languages. They need no script, and are there when nothing else is. */
export function readErrorPages(folder: URL, languages: Catalog[]) {
  const pages = new Map<string, string>()
  for (const name of ['400', '500', ...Object.values(names)]) {
    const page = readFileSync(new URL(`${name}.html`, folder), 'utf8')
    for (const language of languages) {
      pages.set(`${name} ${language.tag}`, language.tag === 'en' ? page : translateHtml(page, language))
    }
  }
  return (status: number, { tag }: Catalog) => pages.get(`${nameOf(status)} ${tag}`) as string
}
