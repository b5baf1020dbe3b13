import { and, eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { sessions } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { recheckUser } from '../../plugins/live/index.ts'
import { endFor } from '../accounts/endings.ts'
import { hasSecondFactor, hasTwoFactors } from '../accounts/requirements.ts'

/**
 * When the last second factor is removed, nothing counts as begun with two any more, or a factor added later would
 * count for sessions that never proved it. Streams are checked, since an account may require a factor. The user must be
 * locked.
 */
export async function withdrawFactors(app: FastifyInstance, tx: Tx, userId: number) {
  const { rows } = await tx.execute<{ has: boolean | null }>(
    sql`select ${hasSecondFactor(app, sql`${userId}::bigint`)} as has`, // passkeys are factors, too
  )
  if (!rows[0]?.has) {
    const firstFactor = sql`case ${sessions.firstFactor} when 'passkey' then 'password' else ${sessions.firstFactor} end`
    await tx
      .update(sessions)
      .set({ firstFactor, secondFactor: null, twoFactorsSince: null })
      .where(and(eq(sessions.userId, userId), hasTwoFactors))
    await endFor(app, tx, 'factorsWithdrawn', { userId })
  }
  await recheckUser(tx, userId)
}
