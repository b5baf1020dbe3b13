import type { FastifyInstance } from 'fastify'
import type { Tx } from '../../plugins/database/index.ts'
import { lockSession } from '../../plugins/security/session-transaction.ts'
import { asAllowed, type UserActor } from '../accounts/access.ts'
import type { Right } from '../accounts/rights.ts'
import { lockUser, type ReauthenticationProof } from './reauthentication/index.ts'
import { requireVerified } from './sign-in-method-rules.ts'

/**
 * As `asAllowed`, for rows that also end with whoever made them, which locks that user first: the account is locked, then
 * the user where a proof is redeemed, then the session, and at last what `work` locks. Throws Invalid if the proof is void
 * by now, and Refused without a verified address.
 */
export const asReauthenticated = <Result>(
  app: FastifyInstance,
  actor: UserActor,
  right: Right,
  proof: ReauthenticationProof | undefined,
  work: (tx: Tx) => Promise<Result>,
) =>
  asAllowed(
    app,
    actor,
    right,
    async (tx) => {
      if (proof) requireVerified(await lockUser(tx, actor.userId, proof))
      await lockSession(tx, actor.credential)
      return work(tx)
    },
    { workLocksSession: true },
  )
