import { eq } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { type User, users } from '../../drizzle/schema.ts'
import { type Text, text } from '../../plugins/languages/index.ts'
import type { Database, Tx } from '../database/index.ts'
import { type Invalid, Refused } from '../forms/index.ts'
import type { Offer, Provable, SecurityProps } from './contract.ts'
import type { Factor, First } from './session-method.ts'

/** A method of signing in besides the password. */
type SignInMethod = {
  /** Removes those that the user added before this moment, or all. The transaction has locked the user. */
  remove(tx: Tx, user: User, before?: Date): Promise<unknown>
  /** Those that the user has, in words for a mail. */
  left(db: Database, userId: number): Promise<Text[]>
  /** Their part of the page of security settings. The reply is there for what is flashed. */
  present(request: FastifyRequest, reply: FastifyReply): Promise<Partial<SecurityProps>>
  /** How many of them are enough to sign in. None by default: a second factor is not. */
  sufficient?(db: Database | Tx, userId: number): Promise<number>
  factor?: SecondFactor
  signInStep?: SignInStep
}

/** A second factor that people prove after their password: at sign-in, or later in the session. */
export type SecondFactor = {
  name: keyof Provable
  isOffered(db: Database, userId: number): Promise<boolean>
  isAnswered(request: FastifyRequest): boolean
  /**
   * Calls `work` in the transaction that spends the answer of the request. Undefined if the answer is wrong, which is
   * logged. Throws TooManyRequests.
   */
  prove<Result>(request: FastifyRequest, userId: number, work: Work<Result>): Promise<Result | undefined>
  /** What a wrong answer is told. */
  refusal(): Invalid
}
type Work<Result> = (tx: Tx, user: User, factor: Factor) => Promise<Result>

/**
 * What must survive the additional step: an invitation, the page that was requested, and how the sign-in began, which
 * is with a password unless it says otherwise. `identity` is what a provider says of the person now.
 */
export type SignInContext = {
  invitation?: string
  returnTo?: string | undefined
  method?: First
  identity?: { id: number; email: string | null; name: string | null }
}

/** The step between the right password and the session. */
export type SignInStep = {
  /**
   * Returns the URL of the step for a user with the right password, or undefined if the password is enough. It gets
   * the reply because the step may need a cookie.
   */
  next(user: User, context: SignInContext, reply: FastifyReply): Promise<string | undefined>
  /** Shows the page of the step to a guest. */
  show(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
  /** Takes a guest's answer, in which the factor finds its own, if any. */
  prove(request: FastifyRequest, reply: FastifyReply, factor?: SecondFactor): Promise<FastifyReply>
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * All methods of signing in besides the password. Features register them, so neither the sign-in nor a password
     * reset depends on any of them.
     */
    signInMethods: Pick<SignInMethod, 'remove' | 'left'> & {
      add(method: SignInMethod): void
      present(request: FastifyRequest, reply: FastifyReply): Promise<SecurityProps>
      readonly offers: Offer[]
      readonly signInStep: SignInStep | undefined
      /** The second factor that the request answers with. */
      factorIn(request: FastifyRequest): SecondFactor | undefined
      factorsOf(userId: number): Promise<Provable>
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
    const methods: SignInMethod[] = []
    const factors = () => methods.flatMap(({ factor }) => factor ?? [])
    app.decorate('signInMethods', {
      offers: [],
      add: (method) => void methods.push(method),
      async remove(tx, user, before) {
        for (const method of methods) await method.remove(tx, user, before)
      },
      async left(db, userId) {
        return (await Promise.all(methods.map((method) => method.left(db, userId)))).flat()
      },
      async present(request, reply) {
        return Object.assign({}, ...(await Promise.all(methods.map((method) => method.present(request, reply)))))
      },
      get signInStep() {
        return methods.find(({ signInStep }) => signInStep)?.signInStep
      },
      factorIn: (request) => factors().find(({ isAnswered }) => isAnswered(request)),
      async factorsOf(userId) {
        const offered = factors().map(async ({ name, isOffered }) => [name, await isOffered(app.db, userId)])
        return Object.fromEntries(await Promise.all(offered)) as Provable
      },
      async requireAnother(db, userId, counts = true) {
        const [user] = await db.select({ digest: users.passwordDigest }).from(users).where(eq(users.id, userId))
        if (user?.digest) return
        let others = counts ? -1 : 0
        for (const method of methods) others += (await method.sufficient?.(db, userId)) ?? 0
        if (others < 1) throw new Refused(text('Set a password or add a passkey first'))
      },
    })
  },
  { name: 'sign-in-methods', dependencies: ['database'] },
)
