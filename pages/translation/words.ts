import { type Catalog, readCatalogs } from '../../plugins/languages/index.ts'
import type { Plural } from '../../plugins/languages/translate.ts'
import { everyText } from './scan.ts'

// `npm run words [-- --strict | --prune]`: what each language lacks, with file and line, and what it translates that
// nobody says. `--prune` deletes that.

const placeholders = (text: string) =>
  Array.from(text.matchAll(/\{(\w+)\}/g), ([whole]) => whole)
    .toSorted()
    .join(' ')

/** Plural forms that a language has, and needs. `zero` and the like may leave out the number. */
const formsOf = (translated: string | Plural) =>
  typeof translated === 'string' ? [translated] : Object.values(translated)

/** One line for each thing that is wrong with a language. */
export async function problemsOf(files?: string[], catalogs?: Catalog[]): Promise<string[]> {
  const texts = everyText(files)
  const problems: string[] = []
  for (const { tag, words } of catalogs ?? (await readCatalogs()).values()) {
    if (tag === 'en') continue
    for (const [key, { file, line }] of texts) {
      const translated = Object.hasOwn(words, key) ? words[key] : undefined
      if (translated === undefined) {
        problems.push(`${tag}: ${file}:${line} is not translated: ${key}`)
        continue
      }
      for (const form of formsOf(translated)) {
        const isPlural = typeof translated !== 'string'
        const lacks = placeholders(key) !== placeholders(form) && !(isPlural && !form.includes('{count}'))
        if (lacks) problems.push(`${tag}: ${file}:${line} has other placeholders: ${form}`)
      }
      const needed = new Intl.PluralRules(tag).resolvedOptions().pluralCategories
      if (typeof translated !== 'string') {
        const missing = needed.filter((category) => !(category in translated))
        if (missing.length > 0) problems.push(`${tag}: ${file}:${line} has no form for ${missing.join(', ')}: ${key}`)
      }
    }
    for (const key of Object.keys(words)) if (!texts.has(key)) problems.push(`${tag}: unused translation: ${key}`)
  }
  return problems
}

if (import.meta.main) {
  if (process.argv.includes('--prune')) (await import('../../development/without/words.ts')).pruneWords(everyText())
  const problems = await problemsOf()
  for (const problem of problems) console.log(problem)
  if (process.argv.includes('--strict') && problems.length > 0) process.exitCode = 1
}
