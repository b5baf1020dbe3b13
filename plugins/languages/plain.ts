// What people type, in the letters and digits that we compare.

// Letters that Unicode does not take apart into a letter and its mark.
const whole = { ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ı: 'i' } as const

const wholeLetters = new RegExp(`[${Object.keys(whole).join('')}]`, 'g')

/**
 * As people type what they search for, without case and accents: `ozdemir` for Özdemir. Postgres has `plain_letters`.
 */
export const plainLetters = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace(wholeLetters, (letter) => whole[letter as keyof typeof whole])

/** Without the blanks, dashes and invisible marks that people, apps and messages insert, and with digits of ASCII. */
export const plainDigits = (typed: string) => typed.replace(/[\s\p{Pd}\p{Cf}]/gu, '').replace(/\p{Nd}/gu, toAsciiDigit)

/** Unicode encodes the digits of a script in a row, from 0 to 9, and starts another one only after a 9. */
function toAsciiDigit(digit: string) {
  const codePoint = digit.codePointAt(0) ?? 0
  let first = codePoint
  while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first--
  return String((codePoint - first) % 10)
}
