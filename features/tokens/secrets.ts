import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

// acct_, 30 random characters, and their checksum: secret scanners recognize it, and typos are rejected without a query.

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const form = /^acct_([\dA-Za-z]{30})([\dA-Za-z]{6})$/

export function newSecret() {
  const random = Array.from({ length: 30 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `acct_${random}${checksumOf(random)}`
}

/** Whether a text can be a token. */
export function isSecret(text: string) {
  const [, random = '', checksum] = form.exec(text) ?? []
  return checksum === checksumOf(random)
}

// 178 random bits cannot be guessed, so a fast digest is enough.
export const digestOf = (secret: string) => hash('sha256', secret, 'base64url')

function checksumOf(random: string) {
  let digits = ''
  for (let rest = crc32(random); rest > 0; rest = Math.floor(rest / alphabet.length))
    digits = alphabet.charAt(rest % alphabet.length) + digits
  return digits.padStart(6, '0')
}
