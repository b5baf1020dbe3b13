import { oneLine } from './text.ts'

/** A text in the form that a number asks for: `{ one: '{count} member', other: '{count} members' }`. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>

/** Translations by English text. What is missing is shown in English. */
export type Words = Readonly<Record<string, string | Plural>>

export interface Speech {
  tag: string
  dir: 'ltr' | 'rtl'
  words: Words
}

export const english: Speech = { tag: 'en', dir: 'ltr', words: {} }

function find({ tag, words }: Speech, text: string, count?: number) {
  const translation = Object.hasOwn(words, text) ? words[text] : undefined
  if (translation === undefined || typeof translation === 'string') return translation
  return translation[count === undefined ? 'other' : rulesOf(tag).select(count)] ?? translation.other
}

export type Plain = Readonly<Record<string, string | number>>

export function translate(speech: Speech, text: string, values?: Plain) {
  const count = typeof values?.count === 'number' ? values.count : undefined
  return fill(speech, find(speech, oneLine(text), count) ?? oneLine(text), values)
}

export function translateCount(speech: Speech, count: number, one: string, other: string, values?: Plain) {
  const text = find(speech, other, count) ?? (rulesOf('en').select(count) === 'one' ? one : other)
  return fill(speech, text, { count, ...values })
}

export const partsOf = (speech: Speech, text: string) =>
  (find(speech, oneLine(text)) ?? oneLine(text)).split(placeholder)

const placeholder = /\{(\w+)\}/

function fill(speech: Speech, text: string, values: Plain | undefined) {
  if (!values) return text
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) return whole
    return typeof value === 'number' ? inDigits(speech, value) : isolated(speech, value)
  })
}

// A name in the opposite direction would reorder the text around it (Unicode's bidirectional algorithm, UAX 9).
export const isolated = ({ dir }: Speech, value: string) =>
  dir === 'rtl' || turning.test(value) ? `\u2068${value}\u2069` : value

const turning = /[\p{Bidi_Control}\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Small numbers look the same in every language here, and need no formatter. */
const inDigits = ({ tag }: Speech, number: number) =>
  number >= 0 && number < 1_000 && Number.isInteger(number) ? String(number) : number.toLocaleString(latin(tag))

/** Digits are those of the codes, addresses and dates around them, in every language. */
export const latin = (tag: string) => `${tag}-u-nu-latn`

const rules = new Map<string, Intl.PluralRules>()
function rulesOf(tag: string) {
  const pluralRules = rules.get(tag) ?? new Intl.PluralRules(tag)
  rules.set(tag, pluralRules)
  return pluralRules
}
