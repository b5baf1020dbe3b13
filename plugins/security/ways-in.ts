import { eq } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { users } from '../../drizzle/schema.ts'
import { type Text, text } from '../../plugins/languages/index.ts'
import type { Database, Tx } from '../database/index.ts'
import { Refused } from '../forms/index.ts'
import type { SecurityProps } from './contract.ts'
import type { Offer } from './offer.ts'

type User = typeof users.$inferSelect

/** From `since` on and until just before `before`. Without either, it is unlimited. */
export type Period = { since?: Date; before?: Date }

/** A kind of ways to sign in besides the password. */
type WaysIn = {
  /** Removes those that the user added in this period. The transaction has locked the user. */
  remove(tx: Tx, user: User, added: Period): Promise<unknown>
  /** Those that the user has, in words for a mail. */
  left(db: Database, userId: number): Promise<Text[]>
  /** Their part of the page of security settings. The reply is there for what is flashed. */
  present(request: FastifyRequest, reply: FastifyReply): Promise<Partial<SecurityProps>>
  /** How many of them are enough to sign in. None by default: a second factor is not. */
  alone?(db: Database | Tx, userId: number): Promise<number>
}

declare module 'fastify' {
  interface FastifyInstance {
    /** All ways to sign in besides the password. Features register them, so a password reset depends on none of them. */
    waysIn: Pick<WaysIn, 'remove' | 'left'> & {
      add(ways: WaysIn): void
      present(request: FastifyRequest, reply: FastifyReply): Promise<SecurityProps>
      readonly offers: Offer[]
      /**
       * For the removal of a way in. Throws Refused if the user could not sign in any more. `counts` says whether the
       * one to be removed is enough to sign in itself.
       */
      requireAnother(db: Database | Tx, userId: number, counts?: boolean): Promise<void>
    }
  }
}

export default fp(
  async (app) => {
    const kinds: WaysIn[] = []
    app.decorate('waysIn', {
      offers: [],
      add: (ways) => void kinds.push(ways),
      async remove(tx, user, added) {
        for (const ways of kinds) await ways.remove(tx, user, added)
      },
      async left(db, userId) {
        return (await Promise.all(kinds.map((ways) => ways.left(db, userId)))).flat()
      },
      async present(request, reply) {
        return Object.assign({}, ...(await Promise.all(kinds.map((ways) => ways.present(request, reply)))))
      },
      async requireAnother(db, userId, counts = true) {
        const [user] = await db.select({ digest: users.passwordDigest }).from(users).where(eq(users.id, userId))
        if (user?.digest) return
        let alone = counts ? -1 : 0
        for (const ways of kinds) alone += (await ways.alone?.(db, userId)) ?? 0
        if (alone < 1) throw new Refused(text('Set a password or add a passkey first'))
      },
    })
  },
  { name: 'ways-in' },
)
