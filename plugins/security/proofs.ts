import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import type { users } from '../../drizzle/schema.ts'

type User = typeof users.$inferSelect
/** What must not get lost on a detour: an invitation, and the page that was asked for. */
export type Way = { invitation?: string; returnTo?: string | undefined }
/** Where somebody whose password is right must prove more; undefined for whom the password is enough. What is asked there may need a cookie. */
type Ask = (user: User, way: Way, reply: FastifyReply) => Promise<string> | undefined

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
      ask(user, way, reply) {
        for (const ask of required) {
          const address = ask(user, way, reply)
          if (address) return address
        }
        return undefined
      },
    })
  },
  { name: 'proofs' },
)
