import { hash, type Options, verify } from '@node-rs/argon2'
import { inTurn } from './hashing.ts'

// OWASP, Password Storage: argon2id with 19 MiB of memory, two passes, one lane. (2 is argon2id: the enum exists in types only.)
const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } satisfies Options
const prefix = '$argon2id$v=19$m=19456,t=2,p=1$'

// The digest of random bytes that nobody kept: checking against it takes as long as any other check, and fails.
const nobodysDigest = `${prefix}GzT/PZTxNxEEpIG08c+DXQ$NUGslJhfvAOcTzv3Zi4IR7o2k7MR96dbeoQEOoDshbI`

/** Rejects with Unavailable when too many wait, as the check does. */
export const digestOf = async (password: string) => inTurn(() => hash(password, cost))

/** Takes the same time without a digest, so that an answer does not tell which addresses are known. */
export const isPassword = async (password: string, digest: string = nobodysDigest) =>
  inTurn(() => verify(digest, password))

/** Whether a digest was made with another cost than today's, and wants to be made anew. */
export const isOutdated = (digest: string) => !digest.startsWith(prefix)
