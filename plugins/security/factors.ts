import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../database/index.ts'
import type { Invalid } from '../forms/index.ts'
import type { Provable } from './contract.ts'
import type { Factor } from './session-method.ts'

type User = typeof users.$inferSelect

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

declare module 'fastify' {
  interface FastifyInstance {
    /** All second factors. Features register them, so the routes that ask for one depend on none of them. */
    factors: {
      add(factor: SecondFactor): void
      answered(request: FastifyRequest): SecondFactor | undefined
      offeredTo(userId: number): Promise<Provable>
    }
  }
}

export default fp(
  async (app) => {
    const factors: SecondFactor[] = []
    app.decorate('factors', {
      add: (factor) => void factors.push(factor),
      answered: (request) => factors.find(({ isAnswered }) => isAnswered(request)),
      async offeredTo(userId) {
        const offered = factors.map(async ({ name, isOffered }) => [name, await isOffered(app.db, userId)])
        return Object.fromEntries(await Promise.all(offered)) as Provable
      },
    })
  },
  { name: 'factors', dependencies: ['database'] },
)
