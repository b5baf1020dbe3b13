/** As stored and compared. One that is far too long is cut, because lower-casing a mebibyte can take 20 ms. */
export function normalizeEmail(email: string) {
  let [start, end] = [0, email.length]
  while (start < end && isTrimmed(email.charCodeAt(start))) start++
  while (end > start && isTrimmed(email.charCodeAt(end - 1))) end--
  return email.slice(start, Math.min(end, start + maxRead)).toLowerCase()
}

const maxRead = 1_000 // characters, far more than an address has
const isTrimmed = (code: number) => code === 0 || (code >= 9 && code <= 13) || code === 32

// The pattern of HTML's input type=email, and the longest address that SMTP can carry (RFC 5321, 4.5.3.1).
const pattern =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/
const maxLength = 254

export const isEmailAddress = (email: string) => email.length <= maxLength && pattern.test(email)
