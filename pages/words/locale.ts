/**
 * Texts are English, but dates, times and numbers follow the reader's region: `en-DE` puts the day before the month.
 * Readers with an English browser keep its locale.
 */
export const locale = localeFor(typeof navigator === 'undefined' ? 'en' : navigator.language)

/** `10,000`, or `10.000`. Small numbers look the same everywhere, and need no formatter. */
export const inDigits = (number: number) => (number < 1_000 ? String(number) : number.toLocaleString(locale))

function localeFor(language: string) {
  if (language.startsWith('en')) return language
  const { region } = new Intl.Locale(language).maximize()
  return region ? `en-${region}` : 'en'
}
