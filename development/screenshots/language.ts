import type { Locator, Page } from 'playwright-core'
import { everyText } from '../../pages/translation/sources.ts'
import { partsOf, type Speech } from '../../plugins/languages/translate.ts'

type Words = string | RegExp
const finders = new Set(['getByRole', 'getByLabel', 'getByText'])
const escaped = (words: string) => words.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** The page, found by English words whatever language it is in. */
export function spokenIn<On extends Page | Locator>(on: On, speech: Speech): On {
  return new Proxy(on, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        const [first, ...others] = given
        const isRole = name === 'getByRole' // which stays what it is
        const isExact = others.some((each) => (each as { exact?: boolean } | undefined)?.exact)
        const asked = [
          isRole ? first : inLanguage(first, speech, isExact),
          ...others.map((each) => inLanguage(each, speech)),
        ]
        const result = value.apply(target, finders.has(String(name)) ? asked : given)
        return isLocator(result) ? spokenIn(result, speech) : result
      }
    },
  })
}

const isLocator = (value: unknown): value is Locator =>
  typeof value === 'object' && value !== null && 'getByRole' in value

function inLanguage(given: unknown, speech: Speech, exact = false): unknown {
  if (typeof given === 'string' || given instanceof RegExp) return asWritten(given, speech, exact)
  if (typeof given !== 'object' || given === null || !('name' in given)) return given
  const { name, ...others } = given as { name: Words; exact?: boolean }
  return { ...others, exact: false, name: asWritten(name, speech, others.exact) }
}

/** What stands there instead of English words: the translations of all texts that contain them. */
function asWritten(words: Words, speech: Speech, exact = false): Words {
  const isMeant = (text: string) => {
    // Some names go on after their text: `Role of Fay Lin: Member`.
    if (words instanceof RegExp) return words.test(text.replace('{name}', 'Fay Lin').replace(/:$/, ': Member'))
    return exact ? text === words : text.toLowerCase().includes(words.toLowerCase())
  }
  const known = [...everyText().keys()]
  const meant = known.includes(String(words)) ? [String(words)] : known.filter(isMeant)
  if (meant.length === 0) return words
  const patterns = meant.map((text) =>
    partsOf(speech, text)
      .map((part, index) => (index % 2 === 0 ? escaped(part) : '.*'))
      .join(''),
  )
  if (exact) return new RegExp(`^(?:${patterns.join('|')})$`)
  return new RegExp(words instanceof RegExp ? `^(?:${patterns.join('|')})` : patterns.join('|'))
}

/** The longest piece of a text in this language, such as of a subject with names in it. */
export const pieceOf = (text: string, speech: Speech) =>
  partsOf(speech, text)
    .filter((_part, index) => index % 2 === 0)
    .reduce((longest, part) => (part.length > longest.length ? part : longest), '')
    .trim()
