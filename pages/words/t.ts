import { createElement, Fragment, type ReactNode } from 'react'
import type { Needs, Text, Value } from '../../plugins/languages/text.ts'
import {
  english,
  isolated,
  type Plain,
  partsOf,
  type Speech,
  translate,
  translateCount,
} from '../../plugins/languages/translate.ts'
import { Name } from '../shared/name.ts'

// A document has one language. The server renders a page in one go, so that two never mix.
let current: Speech = english

export const setLocale = (speech: Speech) => {
  current = speech
}

export const speech = () => current

export function t<const T extends string>(text: T, ...values: Needs<T, string | number>): string
export function t(text: Text): string
export function t(phrase: string | Text, values?: Plain) {
  if (typeof phrase === 'string') return translate(current, phrase, values)
  const inWords = ([name, value]: [string, Value]) => [name, isText(value) ? t(value) : value]
  const filled = phrase.values && Object.fromEntries(Object.entries(phrase.values).map(inWords))
  return translate(current, phrase.text, filled) // nothing else is filled in here
}

const isText = (value: Value): value is Text => typeof value === 'object' && 'text' in value

/** A name, so that it does not turn the words around it. For text without markup, where `<bdi>` is not possible. */
export const isolate = (name: string) => isolated(current, name)

export const plural = (count: number, one: string, other: string, values?: Plain) =>
  translateCount(current, count, one, other, values)

/** A text with elements in it. A string among them has its own text direction, as a name needs it. */
export function rich<const T extends string>(text: T, ...[values]: Needs<T, ReactNode>): ReactNode {
  const elements: Record<string, ReactNode> = values ?? {}
  const parts = partsOf(current, text).map((part, index) => (index % 2 === 0 ? part : named(elements[part])))
  return createElement(Fragment, null, ...parts)
}

const named = (value: ReactNode) => (typeof value === 'string' ? createElement(Name, null, value) : value)
