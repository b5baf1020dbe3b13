import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import type { users } from '../../drizzle/schema.ts'

type User = typeof users.$inferSelect
/** What must not get lost on a detour: an invitation, and the page that was asked for. */
type Way = { invitation: string; returnTo: string | undefined }
/** Leads somebody whose password is right to where more is asked; undefined for whom the password is enough. */
type Ask = (reply: FastifyReply, user: User, way: Way) => FastifyReply | undefined

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
      ask(reply, user, way) {
        for (const ask of required) {
          const asked = ask(reply, user, way)
          if (asked) return asked
        }
        return undefined
      },
    })
  },
  { name: 'proofs' },
)
