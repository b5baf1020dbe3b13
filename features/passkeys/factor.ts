import { and, eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { oneTimeValues, users } from '../../drizzle/schema.ts'
import { type Passkey, passkeys } from '../../drizzle/tables/passkeys.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { Invalid } from '../../plugins/forms/index.ts'
import { parseJson } from '../../plugins/http/bodies.ts'
import { text } from '../../plugins/languages/index.ts'
import { consumeOnce } from '../../plugins/security/once.ts'
import type { Answer, FirstFactor, Work } from '../auth/factors.ts'
import { factorsOfPasskey, hasPasskey } from './ways-in.ts'
import type { ChallengeScope } from './webauthn/challenges.ts'
import { isCredentialId, isTooLong, verifyAssertion } from './webauthn/relying-party.ts'
import { passkeyWords } from './words.ts'

type Proof = { request: FastifyRequest; passkey: Passkey; assertion: Assertion }

/** Two factors by itself. */
export const byPasskey: FirstFactor<Proof> = {
  id: 'passkey',
  words: passkeyWords,
  lock: 'no key update',
  holds: (tx, _user, { request, passkey, assertion }) => consumeAssertion(request, tx, passkey, assertion),
  twoFactorsSince: ({ passkey }) => passkey.createdAt,
}

/** A passkey as the first factor, and as the second step. */
export function signInByPasskey(app: FastifyInstance) {
  app.firstFactors.add(byPasskey)
  app.secondSteps.add({
    id: 'passkey',
    isSetUp: hasPasskey,
    isAnsweredBy: ({ response }) => response != null,
    prove: provePasskey,
    refusal: () => new Invalid({}, passkeyRefused),
  })
}

export const reauthenticationScope = (userId: number) => ({ purpose: 'reauthentication', of: String(userId) }) as const

/** A passkey in place of the current password. */
export function reauthenticateByPasskey(app: FastifyInstance) {
  app.reauthenticationProofs.add({
    field: 'passkey_challenge',
    async verify(request, answer) {
      const { id } = request.signedIn.user
      const match = await findAssertion(app, reauthenticationScope(id), assertionIn(answer), id)
      if (!match?.assertion) return undefined
      const { passkey, assertion } = match
      if (isCopied(passkey, assertion)) return void request.security('passkey', 'counter')
      if ((await app.db.$count(oneTimeValues, eq(oneTimeValues.value, assertion.answered.value))) > 0) return undefined
      return (tx) => consumeAssertion(request, tx, passkey, assertion)
    },
  })
  app.share('has_passkey', ({ auth, routeOptions }) => {
    if (!auth || !routeOptions.config.reauthenticates) return undefined
    return async () => (await hasPasskey(app.db, auth.user.id)) || undefined
  })
}

function assertionIn(answer: unknown) {
  if (typeof answer !== 'string') return answer
  return isTooLong(answer) ? undefined : parseJson(answer)
}

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
  return { passkey, assertion: await verifyAssertion(app, scope, response, key) }
}

type Assertion = NonNullable<Awaited<ReturnType<typeof verifyAssertion>>>

/** Whether the counter went backwards. Two zeros mean that the authenticator has none. */
const isBehind = (passkey: Passkey, { counter }: Assertion) =>
  (passkey.counter > 0 || counter > 0) && counter <= passkey.counter

/** A passkey that syncs may have a counter in each of its devices. */
const isCopied = (passkey: Passkey, assertion: Assertion) => !passkey.syncable && isBehind(passkey, assertion)

/** Consumes the challenge and records the use. False if the passkey is gone or a copy, or the challenge is consumed. */
async function consumeAssertion(request: FastifyRequest, tx: Tx, { id }: Passkey, assertion: Assertion) {
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
async function provePasskey<Result>(request: FastifyRequest, userId: number, { response }: Answer, work: Work<Result>) {
  const match = await findAssertion(request.server, signInScope(request), response)
  const accepted = match?.passkey.userId === userId ? match : undefined
  const { passkey, assertion } = accepted ?? {}
  const result =
    passkey &&
    assertion &&
    (await request.server.db.transaction(async (tx) => {
      const [user] = await tx.select().from(users).where(eq(users.id, passkey.userId)).for('no key update')
      if (!user || !(await consumeAssertion(request, tx, passkey, assertion))) return undefined
      return work(tx, user, factorsOfPasskey(passkey.createdAt))
    }))
  if (result === undefined) request.security('passkey', 'wrong', { user: passkey?.userId })
  return result
}
