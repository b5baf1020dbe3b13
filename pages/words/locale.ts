import { latin } from '../../plugins/languages/translate.ts'
import { speech } from './t.ts'

/**
 * Makes something for the language of the page, at its first use. The first formatter of a page takes a phone 0.1 s, so
 * none is made in advance.
 */
export function lazily<T>(make: () => T) {
  const byLanguage = new Map<string, T>()
  return () => {
    const { tag } = speech()
    const value = byLanguage.get(tag) ?? make()
    byLanguage.set(tag, value)
    return value
  }
}

/**
 * For dates, times and numbers: the language of the page in the reader's region, so `en-DE` puts the day before the
 * month. Readers whose browser speaks that language keep its locale.
 */
export function locale() {
  const { tag } = speech()
  const language = typeof navigator === 'undefined' ? tag : navigator.language
  if (new Intl.Locale(language).language === tag) return latin(language)
  const { region } = new Intl.Locale(language).maximize()
  return latin(region && tag === 'en' ? `${tag}-${region}` : tag)
}

const collator = lazily(() => new Intl.Collator(locale(), { numeric: true, sensitivity: 'base' }))

export const byName = (one: { name: string }, other: { name: string }) => collator().compare(one.name, other.name)
