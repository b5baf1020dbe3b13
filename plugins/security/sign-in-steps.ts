import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { users } from '../../drizzle/schema.ts'
import type { SecondFactor } from './factors.ts'
import type { First } from './session-method.ts'

type User = typeof users.$inferSelect
/**
 * What must survive the additional steps: an invitation, the page that was requested, and how the sign-in began, which
 * is with a password unless it says otherwise.
 */
export type SignInContext = { invitation?: string; returnTo?: string | undefined; method?: First }

type SignInStep = {
  /**
   * Returns the URL of another step for a user with the right password, or undefined if the password is enough. It gets
   * the reply because the step may need a cookie.
   */
  next(user: User, context: SignInContext, reply: FastifyReply): Promise<string> | undefined
  /** Shows the page of the step to a guest. */
  show(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> | undefined
  /** Takes a guest's answer, in which the factor finds its own, if any. */
  prove(request: FastifyRequest, reply: FastifyReply, factor?: SecondFactor): Promise<FastifyReply> | undefined
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Steps between the password and the session. Features register them, so the sign-in depends on none of them.
     * Without any, all return undefined.
     */
    signInSteps: SignInStep & { add(step: SignInStep): void }
  }
}

export default fp(
  async (app) => {
    const steps: SignInStep[] = []
    app.decorate('signInSteps', {
      add: (step) => void steps.push(step),
      next: (...signIn) => first((step) => step.next(...signIn)),
      show: (...visit) => first((step) => step.show(...visit)),
      prove: (...answer) => first((step) => step.prove(...answer)),
    })

    function first<Result>(ask: (step: SignInStep) => Result | undefined) {
      for (const step of steps) {
        const result = ask(step)
        if (result) return result
      }
      return undefined
    }
  },
  { name: 'sign-in-steps' },
)
