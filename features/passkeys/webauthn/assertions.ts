import { and, eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type User, users } from '../../../drizzle/schema.ts'
import { type Passkey, passkeys } from '../../../drizzle/tables/passkeys.ts'
import type { Tx } from '../../../plugins/database/index.ts'
import { text } from '../../../plugins/languages/index.ts'
import { consumeOnce } from '../../../plugins/security/once.ts'
import type { ChallengeScope } from './challenges.ts'
import { isCredentialId, verifyAssertion } from './relying-party.ts'

export const passkeyRefused = text("That passkey didn't work. Try again")

/** The passkey that a response names, and its assertion if it signed our challenge. With `userId`, only theirs. */
export async function findAssertion(app: FastifyInstance, scope: ChallengeScope, response: unknown, userId?: number) {
  const { id } = (response ?? {}) as { id?: unknown }
  if (!isCredentialId(id)) return undefined
  const [row] = await app.db
    .select({ passkey: passkeys, handle: users.passkeyHandle })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(and(eq(passkeys.credentialId, id), userId === undefined ? undefined : eq(passkeys.userId, userId)))
  if (!row) return undefined
  const { passkey, handle } = row
  const key = { ...passkey, handle: handle ?? '', wasListed: userId !== undefined }
  return { passkey, assertion: await verifyAssertion(app.relyingParty, scope, response, key) }
}

export type Assertion = NonNullable<Awaited<ReturnType<typeof verifyAssertion>>>

/** Whether the counter went backwards. Two zeros mean that the authenticator has none. */
const isBehind = (passkey: Passkey, { counter }: Assertion) =>
  (passkey.counter > 0 || counter > 0) && counter <= passkey.counter

/** A passkey that syncs may have a counter in each of its devices. */
export const isCopied = (passkey: Passkey, assertion: Assertion) => !passkey.syncable && isBehind(passkey, assertion)

/** Consumes the challenge and records the use. False if the passkey is gone or a copy, or the challenge is consumed. */
export async function consumeAssertion(request: FastifyRequest, tx: Tx, { id }: Passkey, assertion: Assertion) {
  const [passkey] = await tx.select().from(passkeys).where(eq(passkeys.id, id)).for('update')
  if (!passkey) return false
  if (isBehind(passkey, assertion)) request.security('passkey', 'counter', { user: passkey.userId })
  if (isCopied(passkey, assertion) || !(await consumeOnce(tx, assertion.answered))) return false
  const used = { counter: assertion.counter, synced: assertion.synced, lastUsedAt: request.server.now() }
  await tx.update(passkeys).set(used).where(eq(passkeys.id, id))
  return true
}

/** The challenge must be answered in the browser that requested it. */
export const signInScope = (request: FastifyRequest) =>
  ({ purpose: 'sign_in', of: request.signedCookie('csrf_secret') ?? '' }) as const

/** Consumes the assertion and calls `work` in one transaction. Undefined if it is wrong, which is logged. */
export async function withPasskey<Result>(
  request: FastifyRequest,
  response: unknown,
  userId: number,
  work: (tx: Tx, user: User, passkey: Passkey) => Promise<Result>,
) {
  const match = await findAssertion(request.server, signInScope(request), response)
  const accepted = match?.passkey.userId === userId ? match : undefined
  const { passkey, assertion } = accepted ?? {}
  const result =
    passkey &&
    assertion &&
    (await request.server.db.transaction(async (tx) => {
      const [user] = await tx.select().from(users).where(eq(users.id, passkey.userId)).for('no key update')
      return user && (await consumeAssertion(request, tx, passkey, assertion)) ? work(tx, user, passkey) : undefined
    }))
  if (result === undefined) request.security('passkey', 'wrong', { user: passkey?.userId })
  return result
}
