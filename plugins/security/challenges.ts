import { and, eq } from 'drizzle-orm'
import fp from 'fastify-plugin'
import { users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../database/index.ts'
import { Invalid } from '../forms/index.ts'
import { isPassword } from './digests.ts'
import { guessing } from './limits/index.ts'
import { authOf } from './session.ts'

export const wrongChallenge = 'is invalid'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Verifies the current password of the signed-in user and returns the digest it matched. Undefined if it is wrong
     * or missing, or if a validate-only request asks about other fields. Wrong attempts count against the user,
     * whatever client they come from. Throws TooManyRequests.
     */
    challenge(text: string | null | undefined): Promise<string | undefined>
  }
}

export default fp(
  async (app) => {
    app.decorateRequest('challenge', async function (text) {
      const { user } = authOf(this)
      if (!text || !this.asks('password_challenge')) return undefined // not a guess, so it does not count
      const digest = await guessing(app.db, 'challenge', user.id, () => verifyChallenge(app.db, user.id, text))
      this.security('challenge', digest ? 'right' : 'wrong')
      return digest
    })
  },
  { name: 'challenges', dependencies: ['database', 'limits', 'precognition', 'security-log', 'session'] },
)

async function verifyChallenge(db: Database, userId: number, challenge: string) {
  const [user] = await db.select({ digest: users.passwordDigest }).from(users).where(eq(users.id, userId))
  return user && (await isPassword(challenge, user.digest)) ? user.digest : undefined
}

/** Locks the user's row for a change. Throws Invalid if the password has changed since the challenge was verified. */
export async function holdUser(tx: Tx, userId: number, digest: string) {
  const unchanged = and(eq(users.id, userId), eq(users.passwordDigest, digest))
  const [user] = await tx.select().from(users).where(unchanged).for('update')
  if (!user) throw new Invalid({ password_challenge: [wrongChallenge] })
  return user
}
