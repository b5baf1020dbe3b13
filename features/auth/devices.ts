import Bowser from 'bowser'
import { text, verbatim } from '../../plugins/languages/index.ts'
import { nameInMail } from '../../plugins/mail/names.ts'

/** The browser and system in words that people know. */
export function deviceIn(userAgent: string) {
  if (!userAgent) return text('Unknown device') // which Bowser would throw at
  const { browser, os } = Bowser.parse(userAgent)
  const [name, system] = [browser.name, os.name].map((given) => nameInMail(given ?? ''))
  if (name && system) return text('{browser} on {system}', { browser: name, system })
  const known = name ?? system
  return known ? verbatim(known) : text('Unknown device')
}
