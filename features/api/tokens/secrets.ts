import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

// A prefix, 30 random characters, and their checksum: secret scanners recognize it, and typos are rejected without a
// query.

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const form = /^([a-z]+)_([\dA-Za-z]{30})([\dA-Za-z]{6})$/

export function newSecret(prefix: string) {
  const random = Array.from({ length: 30 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `${prefix}_${random}${checksumOf(random)}`
}

/** Undefined for what no token can be. */
export function readSecret(text: string) {
  const [, prefix, random = '', checksum] = form.exec(text) ?? []
  return checksum === checksumOf(random) ? { prefix, digest: digestOf(text) } : undefined
}

// 178 random bits cannot be guessed, so a fast digest is enough.
export const digestOf = (secret: string) => hash('sha256', secret, 'base64url')

function checksumOf(random: string) {
  let digits = ''
  let rest = crc32(random)
  while (rest > 0) {
    digits = alphabet.charAt(rest % alphabet.length) + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits.padStart(6, '0')
}
