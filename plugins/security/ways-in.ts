import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../database/index.ts'
import type { ExportedWays, SecurityProps } from './contract.ts'

type User = typeof users.$inferSelect

/** From `since` on and until just before `before`. Without either, it is unlimited. */
export type Period = { since?: Date; before?: Date }

/** A kind of ways to sign in besides the password. */
type WaysIn = {
  /** Removes those that the user added in this period. The transaction has locked the user. */
  remove(tx: Tx, user: User, added: Period): Promise<unknown>
  /** Those that the user has, in words for a mail. */
  left(db: Database, userId: number): Promise<string[]>
  /** Their part of the page of security settings. The reply is there for what is flashed. */
  present(request: FastifyRequest, reply: FastifyReply): Promise<Partial<SecurityProps>>
  /** Their part of an export of the person's data. */
  export?(db: Database, userId: number): Promise<Partial<ExportedWays>>
}

declare module 'fastify' {
  interface FastifyInstance {
    /** All ways to sign in besides the password. Features register them, so a password reset depends on none of them. */
    waysIn: Pick<WaysIn, 'remove' | 'left'> & {
      add(ways: WaysIn): void
      present(request: FastifyRequest, reply: FastifyReply): Promise<SecurityProps>
      export(db: Database, userId: number): Promise<ExportedWays>
    }
  }
}

export default fp(
  async (app) => {
    const kinds: WaysIn[] = []
    app.decorate('waysIn', {
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
      async export(db, userId) {
        return Object.assign({}, ...(await Promise.all(kinds.map((ways) => ways.export?.(db, userId)))))
      },
    })
  },
  { name: 'ways-in' },
)
