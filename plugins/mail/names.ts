import { type Text, text } from '../languages/index.ts'

const maxLength = 60
const enough = 1_000 // a name has no limit, and what lies beyond is never shown

// NFKC turns most other spellings of a dot into one. These are left, and are read as one.
const dot = '[.。۔ꓸ܁܂‧∙]'
const linkLike = new RegExp(
  [
    '@',
    '[/\\\\∕⁄]{2}', // of a protocol
    '\\bh(?:tt|xx|\\+\\+|\\*\\*)ps?(?!\\p{L})',
    `\\bwww(?!\\p{L})`,
    `\\S${dot}\\p{L}`, // example.com, i❤.ws
    `\\p{Nd}${dot}\\p{Nd}+${dot}\\p{Nd}`, // 1.2.3.4
    `\\p{Nd}${dot}\\p{Nd}+[/∕⁄]`, // a short spelling of an IP address, with a path
    `[[({<]\\s*(?:${dot}|dot)\\s*[\\])}>]`, // example[.]com
    '\\sdot\\s+(?:com|net|org|info|io)(?!\\p{L})',
    ':\\p{Hex_Digit}*:', // IPv6
    '=\\?', // an encoded word (RFC 2047), in which a subject could hide anything
  ].join('|'),
  'iu',
)

/** Shortened to one line. Undefined if it may be taken for a link, or anyone could send theirs by choosing a name. */
export function nameInMail(typedName: string) {
  const name = typedName.slice(0, enough)
  const read = name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  if (linkLike.test(read) || read.trim() === '') return undefined
  const line = name.replace(/\p{Bidi_Control}/gu, '').replace(/[\s\p{Cc}]+/gu, ' ')
  const letters = [...line.trim()]
  if (letters.length <= maxLength) return letters.join('')
  return `${letters.slice(0, maxLength).join('').trim()}…`
}

export function greeting(typedName: string): Text {
  const name = nameInMail(typedName)
  return name ? text('Hello {name},', { name }) : text('Hello,')
}
