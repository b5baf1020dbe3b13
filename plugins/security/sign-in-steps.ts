import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import type { users } from '../../drizzle/schema.ts'

type User = typeof users.$inferSelect
/** What must survive the additional steps: an invitation, and the page that was requested. */
export type SignInContext = { invitation?: string; returnTo?: string | undefined }
/**
 * Returns the URL of another step for a user with the right password, or undefined if the password is enough. It gets
 * the reply because the step may need a cookie.
 */
type SignInStep = (user: User, context: SignInContext, reply: FastifyReply) => Promise<string> | undefined

declare module 'fastify' {
  interface FastifyInstance {
    /** Steps between the password and the session. Features register them, so the sign-in depends on none of them. */
    signInSteps: { add(step: SignInStep): void; next: SignInStep }
  }
}

export default fp(
  async (app) => {
    const steps: SignInStep[] = []
    app.decorate('signInSteps', {
      add: (step) => void steps.push(step),
      next(user, context, reply) {
        for (const step of steps) {
          const url = step(user, context, reply)
          if (url) return url
        }
        return undefined
      },
    })
  },
  { name: 'sign-in-steps' },
)
