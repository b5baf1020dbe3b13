/** Without the blanks, dashes and invisible marks that people, apps and messages insert, and with digits of ASCII. */
export const plainDigits = (typed: string) => typed.replace(/[\s\p{Pd}\p{Cf}]/gu, '').replace(/\p{Nd}/gu, toAsciiDigit)

/** Unicode encodes the digits of a script in a row, from 0 to 9, and starts another one only after a 9. */
function toAsciiDigit(digit: string) {
  const codePoint = digit.codePointAt(0) ?? 0
  let first = codePoint
  while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first--
  return String((codePoint - first) % 10)
}
