import { isStorable } from '../database/index.ts'
import { text } from '../languages/index.ts'
import { assertValid } from './index.ts'
import { isLongerThan } from './parameters.ts'

export function nameMessages(name: string, maxLength: number) {
  if (!isVisible(name)) return [text("can't be blank")]
  if (!isStorable(name) || endsIsolation(name)) return [text('is invalid')]
  return isLongerThan(maxLength, name) ? [text('is too long (maximum is {max} characters)', { max: maxLength })] : []
}

export function checkName(name: string, maxLength: number) {
  assertValid({ name: nameMessages(name, maxLength) })
  return name
}

export const isVisible = (name: string) => visible.test(name)

// Accents need a letter to stand on. Four blanks count as letters or symbols: of braille, of music, and of hieroglyphs.
const visible = /[^\s\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u{2800}\u{1d159}\u{13441}\u{13442}]/u

/** Whether the rest of the name escapes from `<bdi>` and U+2068, and could reorder the text after it. */
function endsIsolation(name: string) {
  const unpaired = name.replace(/[\u2066-\u2068][^\u2066-\u2069]*\u2069/g, '')
  return ['\x1c', '\x1d', '\x1e', '\x85', '\u2029', '\u2069'].some((end) => unpaired.includes(end))
}
