import { and, eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { sessions } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { type Factor, hasTwoFactors } from '../../plugins/security/session-method.ts'
import { lacksFactor } from '../accounts/second-factor-requirement.ts'
import type { Session } from './requests.ts'
import { renewToken } from './sessions.ts'

/** Counts a factor to how the session began, unless it began with two. Returns its new token. Throws SignedOut. */
export function addFactor(tx: Tx, session: Session, factor: Factor) {
  const added = factor === 'passkey' ? sql`'passkey'` : sql`${sessions.method} || ${`_and_${factor}`}`
  const method = sql`case when ${hasTwoFactors(sessions.method)} then ${sessions.method} else ${added} end`
  return renewToken(tx, session, { method })
}

export async function beganWithPassword(db: Database, token: string) {
  const [session] = await db.select({ method: sessions.method }).from(sessions).where(eq(sessions.token, token))
  return session?.method.startsWith('password') === true
}

/** What a session that began with a password alone can prove. Undefined if it did not, or the person has nothing. */
export async function provableIn(
  { db, signInMethods }: Pick<FastifyInstance, 'db' | 'signInMethods'>,
  { userId, token }: Session,
) {
  const [[session], provable] = await Promise.all([
    db
      .select({ proved: hasTwoFactors(sessions.method) })
      .from(sessions)
      .where(eq(sessions.token, token)),
    signInMethods.factorsOf(userId),
  ])
  return session && !session.proved && Object.values(provable).some(Boolean) ? provable : undefined
}

const firstFactor = sql`
  case ${sessions.method} when 'passkey' then 'password'
  else regexp_replace(${sessions.method}, '_and_(recovery_)?code$', '') end`

/**
 * After the removal of a second factor: if it was the last one, no session of the user counts as begun with two. Or a
 * factor that someone adds later would vouch for sessions that never saw it.
 */
export const withdrawFactors = (tx: Tx, userId: number) =>
  tx
    .update(sessions)
    .set({ method: firstFactor })
    .where(and(eq(sessions.userId, userId), hasTwoFactors(sessions.method), lacksFactor(sql`${userId}::bigint`)))
