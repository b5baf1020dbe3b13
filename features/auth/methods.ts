import type { SessionFactors } from '../../drizzle/tables/sessions.ts'
import { type Text, text } from '../../plugins/languages/text.ts'

// How a session began, as one string for pages, exports and activities, and in words.

export function methodOf({ firstFactor, provider, secondFactor }: SessionFactors) {
  const first = provider ? `provider:${provider}` : firstFactor
  return secondFactor ? `${first}_and_${secondFactor}` : first
}

const shape = /^(?<first>\w+?)(:(?<provider>\w+?))?(_and_(?<second>\w+))?$/

export function factorsIn(method: string) {
  const { first = '', provider = '', second } = shape.exec(method)?.groups ?? {}
  return { first, provider, second }
}

type Named = { id: string; name: string }

/** How a first factor is said, such as `with a password`. */
export type FirstWords = {
  alone: Text | ((provider: string, offered: Named[]) => Text)
  /** With a second factor, where it is said in a way of its own. */
  and?: { [secondFactor: string]: Text }
}

/** How a second factor is said, after the first: `{first} and a code`. */
export type SecondWords = (first: Text) => Text

/** By what sessions call them. */
export type MethodWords = {
  first: { [firstFactor: string]: FirstWords }
  second: { [secondFactor: string]: SecondWords }
}

export const passwordWords: FirstWords = { alone: text('with a password') }

/** Undefined for what nobody says, such as a factor of a newer version or of an option that was taken out. */
export function methodInWords(method: string, words: MethodWords, offered: Named[] = []) {
  const { first, provider, second } = factorsIn(method)
  const { alone, and = {} } = words.first[first] ?? {}
  const inWords = typeof alone === 'function' ? alone(provider, offered) : alone
  return second && inWords ? (and[second] ?? words.second[second]?.(inWords)) : inWords
}
