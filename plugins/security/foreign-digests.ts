import { pbkdf2 as pbkdf2WithCallback, scrypt as scryptWithCallback, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { verify as verifyArgon2 } from '@node-rs/argon2'
import { verify as verifyBcrypt } from '@node-rs/bcrypt'

// Digests that other systems made. What would take a gigabyte or a minute is unknown, as is what is no digest.

type Verify = (password: string) => Promise<boolean>

const pbkdf2 = promisify(pbkdf2WithCallback)
const scrypt = promisify<string, Buffer, number, object, Buffer>(scryptWithCallback)

const maxKiB = 131_072 // of memory
const maxKiBPasses = 524_288
const maxBcryptCost = 14
const maxIterations = 2_000_000

const argon2 = /^\$argon2id?\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{16,86}$/
const bcrypt = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/
const parts = '\\$(?<salt>[A-Za-z0-9+/.]{1,128})\\$(?<key>[A-Za-z0-9+/.]{22,86})={0,2}$'
const scryptForm = new RegExp(`^\\$scrypt\\$ln=(?<ln>\\d{1,2}),r=(?<r>\\d{1,3}),p=(?<p>\\d{1,3})${parts}`)
const pbkdf2Form = new RegExp(
  `^\\$pbkdf2(?<hash>-sha1|-sha256|-sha512)?\\$(i=)?(?<rounds>\\d{1,8})(,l=\\d{1,3})?${parts}`,
)

/** What verifies passwords against a digest. Undefined if it is unknown. */
export function verifierOf(digest: string): Verify | undefined {
  return argon2Verifier(digest) ?? bcryptVerifier(digest) ?? scryptVerifier(digest) ?? pbkdf2Verifier(digest)
}

function argon2Verifier(digest: string): Verify | undefined {
  const [memory = 0, time = 0, lanes = 0] = numbersIn(argon2, digest)
  const isBounded = memory <= maxKiB && memory * time <= maxKiBPasses
  if (!isBounded || time < 1 || lanes < 1 || memory < 8 * lanes) return undefined
  return (password) => verifyArgon2(digest, password)
}

function bcryptVerifier(digest: string): Verify | undefined {
  const [cost = 0] = numbersIn(bcrypt, digest)
  if (cost < 4 || cost > maxBcryptCost) return undefined
  return (password) => verifyBcrypt(password, digest)
}

function scryptVerifier(digest: string): Verify | undefined {
  const { ln, r: blocks, p: lanes, salt = '', key = '' } = scryptForm.exec(digest)?.groups ?? {}
  const [N, r, p] = [2 ** Number(ln), Number(blocks), Number(lanes)]
  const kiB = (N * r) / 8
  if (!(N > 1 && kiB <= maxKiB && kiB * p <= maxKiBPasses && r >= 1 && p >= 1)) return undefined
  const expected = bytesOf(key)
  const cost = { N, r, p, maxmem: (maxKiB + 4 * 1024) * 1024 }
  return async (password) => timingSafeEqual(await scrypt(password, bytesOf(salt), expected.length, cost), expected)
}

function pbkdf2Verifier(digest: string): Verify | undefined {
  const { hash = '-sha1', rounds, salt = '', key = '' } = pbkdf2Form.exec(digest)?.groups ?? {}
  const iterations = Number(rounds)
  if (!(iterations >= 1 && iterations <= maxIterations)) return undefined
  const expected = bytesOf(key)
  return async (password) =>
    timingSafeEqual(await pbkdf2(password, bytesOf(salt), iterations, expected.length, hash.slice(1)), expected)
}

const numbersIn = (form: RegExp, digest: string) => (form.exec(digest) ?? []).slice(1).map(Number)

/** Passlib writes `.` for `+`. */
const bytesOf = (base64: string) => Buffer.from(base64.replaceAll('.', '+'), 'base64')
