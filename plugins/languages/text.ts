export type Moment = { readonly at: Date; readonly precision: 'day' | 'second' }

/** What stands in a text: `{name}`. All but names is written as the language writes it. */
export type Value = string | number | Moment | Text | readonly Text[]
export type Values = Readonly<Record<string, Value>>

/** Something that a person will read. It is translated where the reader is known, so a rule may throw it. */
export type Text = { readonly text: string; readonly values?: Values }

type Names<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never

export type Needs<T extends string, Value> = [Names<T>] extends [never] ? [] : [values: Record<Names<T>, Value>]

/** Marks a text for translation. Line breaks within are for the source only. */
export const text = <const T extends string>(text: T, ...[values]: Needs<T, Value>): Text =>
  values ? { text: oneLine(text), values } : { text: oneLine(text) }

/** Something that needs no translation: what people wrote themselves, such as a name, or a point in time. */
export const raw = (words: string | Moment): Text => ({ text: '{words}', values: { words } })

export const oneLine = (text: string) => (text.includes('\n') ? text.replace(/\s+/g, ' ').trim() : text)
