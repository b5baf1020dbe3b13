import { eq } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { type User, users } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { findAssertion, spendAssertion } from './assertions.ts'
import type { RelyingParty } from './relying-party.ts'

/** The challenge must be answered in the browser that requested it. */
export const signInScope = (request: FastifyRequest) =>
  ({ purpose: 'sign_in', of: request.signedCookie('csrf_secret') ?? '' }) as const

export const answerOf = ({ body }: FastifyRequest) => (body as { response?: unknown }).response

/**
 * If the passkey signed our challenge, spends it and calls `work` for its user, in one transaction. Undefined if it did
 * not, which is logged. With `userId`, only passkeys of this user count.
 */
export async function withPasskey<Result>(
  request: FastifyRequest,
  party: RelyingParty,
  work: (tx: Tx, user: User) => Promise<Result>,
  userId?: number,
) {
  const { db } = request.server
  const found = await findAssertion(db, party, signInScope(request), answerOf(request))
  const known = userId === undefined || found?.passkey.userId === userId ? found : undefined
  const { passkey, assertion } = known ?? {}
  const result =
    passkey &&
    assertion &&
    (await db.transaction(async (tx) => {
      const [user] = await tx.select().from(users).where(eq(users.id, passkey.userId)).for('share')
      return user && (await spendAssertion(request, tx, passkey, assertion)) ? work(tx, user) : undefined
    }))
  if (result === undefined) request.security('passkey', 'wrong', { user: passkey?.userId })
  return result
}
