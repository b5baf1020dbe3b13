import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import type { users } from '../../drizzle/schema.ts'

type User = typeof users.$inferSelect
/** What must survive the detour: an invitation, and the page that was requested. */
export type Way = { invitation?: string; returnTo?: string | undefined }
/**
 * Returns where a user with the right password must prove more, or undefined if the password is enough. It gets the
 * reply because the next step may need a cookie.
 */
type Ask = (user: User, way: Way, reply: FastifyReply) => Promise<string> | undefined

declare module 'fastify' {
  interface FastifyInstance {
    /** Additional proofs at sign-in. Features register them, so the sign-in depends on none of them. */
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
