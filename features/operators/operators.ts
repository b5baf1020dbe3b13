import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type User, users } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import type { Ending } from '../accounts/endings.ts'
import { recordWithNotice } from '../auth/notices.ts'
import { deleteSessions } from '../auth/sessions.ts'
import { forgetTrustedBrowsers } from '../second-factor/trusted-browsers.ts'

/** It ends with the authenticator app: a trigger empties `operatorSince`, whatever removes or replaces the app. */
export const isOperator = ({ operatorSince }: Pick<User, 'operatorSince'>) => operatorSince !== null

/** Ends what began with less than an operator needs. Returns false without a verified address or an app. */
export async function makeOperator(app: FastifyInstance, tx: Tx, userId: number) {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('no key update')
  if (!user?.verified || !user.secondFactorAt) return false
  if (isOperator(user)) return true
  const operatorSince = app.now()
  await tx.update(users).set({ operatorSince, updatedAt: users.updatedAt }).where(eq(users.id, userId))
  await deleteSessions(tx, userId)
  await forgetTrustedBrowsers(tx, userId)
  await recordWithNotice(app, tx, user, 'operator_granted', { actorId: null })
  return true
}

/** Returns false if the user was none. They must be locked, as they were read. */
export async function endOperator(app: FastifyInstance, tx: Tx, user: User) {
  if (!isOperator(user)) return false
  await tx.update(users).set({ operatorSince: null, updatedAt: users.updatedAt }).where(eq(users.id, user.id))
  await recordWithNotice(app, tx, user, 'operator_revoked', { actorId: null })
  return true
}

export const operatorEnding = (app: FastifyInstance): Ending => ({
  name: 'operators',
  on: {
    async secondStepRemoved(tx, { user }) {
      await endOperator(app, tx, user)
    },
  },
})
