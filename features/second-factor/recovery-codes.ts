import { hash } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { Secret } from 'otpauth'
import { recoveryCodes } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'

const howMany = 10

/** Creates ten codes and stores only their digests. Previous codes become invalid. */
export async function makeRecoveryCodes(tx: Tx, userId: number) {
  const codes = Array.from({ length: howMany }, newCode)
  await forgetRecoveryCodes(tx, userId)
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, digest: digestOf(code) })))
  return codes
}

export const forgetRecoveryCodes = (tx: Tx, userId: number) =>
  tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))

/** Of concurrent requests, only the first one gets true. */
export async function spendRecoveryCode(tx: Tx, userId: number, code: string) {
  const unspent = and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.digest, digestOf(code)))
  const spent = await tx.delete(recoveryCodes).where(unspent).returning({ digest: recoveryCodes.digest })
  return spent.length > 0
}

export const countRecoveryCodes = (db: Database, userId: number) =>
  db.$count(recoveryCodes, eq(recoveryCodes.userId, userId))

// 120 random bits cannot be guessed, so a fast digest is enough.
const newCode = () => new Secret({ size: 15 }).base32
const digestOf = (code: string) => hash('sha256', code, 'base64url')
