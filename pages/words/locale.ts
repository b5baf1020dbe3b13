/**
 * The words are English; days, times and numbers are written as the reader does where they live: `en-DE` puts the day before the month. Whoever
 * reads English anyway knows best which.
 */
export const locale = localeFor(typeof navigator === 'undefined' ? 'en' : navigator.language)

function localeFor(language: string) {
  if (language.startsWith('en')) return language
  const { region } = new Intl.Locale(language).maximize()
  return region ? `en-${region}` : 'en'
}
