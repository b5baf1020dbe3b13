import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import type { users } from '../../drizzle/schema.ts'

type User = typeof users.$inferSelect
/** Leads somebody whose password is right to where more is asked; undefined for whom the password is enough. */
type Ask = (reply: FastifyReply, user: User, invitation: string) => FastifyReply | undefined

declare module 'fastify' {
  interface FastifyInstance {
    /** What a sign-in may want besides a password. Features say so; the sign-in knows none of them. */
    proofs: { require(ask: Ask): void; ask: Ask }
  }
}

export default fp(
  async (app) => {
    const required: Ask[] = []
    app.decorate('proofs', {
      require: (ask) => void required.push(ask),
      ask(reply, user, invitation) {
        for (const ask of required) {
          const asked = ask(reply, user, invitation)
          if (asked) return asked
        }
        return undefined
      },
    })
  },
  { name: 'proofs' },
)
