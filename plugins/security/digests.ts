import { hash, type Options, verify } from '@node-rs/argon2'
import { Unavailable } from '../http/errors.ts'
import { currentRequest, hasLeft } from '../http/request.ts'
import { verifierOf } from './foreign-digests.ts'

// OWASP, Password Storage. 2 means argon2id: the package exports the enum as a type only.
const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } satisfies Options
const prefix = '$argon2id$v=19$m=19456,t=2,p=1$'

// Checking against it takes as long as any other check, and always fails.
export const nobodysDigest = `${prefix}GzT/PZTxNxEEpIG08c+DXQ$NUGslJhfvAOcTzv3Zi4IR7o2k7MR96dbeoQEOoDshbI`

export const digestOf = async (password: string) => enqueueHash(() => hash(normalizePassword(password), cost))

/**
 * Takes the same time without a digest. An `outdated` one is of another kind, has other parameters, or is of before
 * NFKC.
 */
export async function verifyPassword(password: string, digest: string | null = nobodysDigest) {
  const normalized = normalizePassword(password)
  const stored = digest ?? nobodysDigest
  return enqueueHash(async () => {
    if (await matches(stored, normalized)) return stored.startsWith(prefix) ? 'right' : 'outdated'
    // Whether there is a second try depends on the password alone, so it does not reveal which addresses exist either.
    return normalized !== password && (await matches(stored, password)) ? 'outdated' : 'wrong'
  })
}

/** Takes the same time if the digest cannot be read. An error would tell that somebody has this address. */
async function matches(stored: string, password: string) {
  try {
    const verify = verifierOf(stored)
    if (!verify) throw new Error('unknown digest')
    return await verify(password)
  } catch {
    // The error may quote the digest. The line of the same request names the user.
    currentRequest()?.log.error('a stored password digest cannot be read: every password is wrong for it')
    await verify(nobodysDigest, password)
    return false
  }
}

export const isPassword = async (password: string, digest?: string | null) =>
  (await verifyPassword(password, digest)) !== 'wrong'

/** Keyboards write the same letter with different code points. */
export const normalizePassword = (password: string) =>
  password.length > maxLength ? password : password.normalize('NFKC')

const maxLength = 100 // no password is that long, and to normalize a mebibyte of accents takes minutes

const concurrency = 3 // leaves one of libuv's four threads for files, DNS and compression
const maxQueued = 100

let running = 0
const waiting: (() => void)[] = []

/** Without a limit, a client that submits a thousand passwords would block every file read and every other sign-in. */
export async function enqueueHash<Result>(compute: () => Promise<Result>) {
  rejectIfQueueFull()
  if (running < concurrency) running++
  else await new Promise<void>((resolve) => waiting.push(resolve))
  try {
    const request = currentRequest()
    if (request && hasLeft(request)) throw new Unavailable('the client left while its password waited')
    return await compute()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

/** Throws Unavailable if the queue is full. */
export function rejectIfQueueFull() {
  if (waiting.length >= maxQueued) throw new Unavailable('too many passwords wait to be hashed')
}
