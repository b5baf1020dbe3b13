import { and, eq, isNull } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { sessions, type User, users } from '../../drizzle/schema.ts'
import { text } from '../../plugins/languages/index.ts'
import type { Database, Tx } from '../database/index.ts'
import type { Messages } from '../forms/flash.ts'
import { Invalid, withMessages } from '../forms/index.ts'
import { isPassword } from './digests.ts'
import { guessing } from './limits/index.ts'

/** Proof that the signed-in person is still the one at the screen, for the transaction that relies on it. */
export type Reauthentication = {
  /** The field that proved it. It gets the message if the proof is void by the time of the transaction. */
  field: string
  /** Called with the user locked. Spends what is good only once. False if it proves nothing any more. */
  redeem(tx: Tx, user: User): boolean | Promise<boolean>
}

/** A form field that confirms who the person is. */
type Method = {
  field: string
  /** Judges an answer, which may be anything, and changes nothing. Undefined if it is wrong. */
  verify(request: FastifyRequest, answer: unknown): Promise<Reauthentication['redeem'] | undefined>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The page has forms that ask for the current password. */
    reauthenticates?: true
  }
  interface FastifyInstance {
    /** Accepts another field wherever the current password is asked for. */
    reauthenticateBy(method: Method): void
  }
  interface FastifyRequest {
    /**
     * Verifies that the signed-in person is still the one at the screen: by the current password, or by what features
     * registered, or without a password by a session that has just begun. A right answer in one field is enough. Wrong
     * ones count against the user, whatever client they come from. Throws TooManyRequests, or Invalid with `others`,
     * the errors of the form's other fields, as well.
     */
    reauthenticate(others?: Messages): Promise<Reauthentication>
  }
}

export default fp(
  async (app) => {
    const password = byPassword(app.db)
    const methods = [password]
    app.decorate('reauthenticateBy', (method) => void methods.unshift(method)) // before the password, which is slow

    app.decorateRequest('reauthenticate', async function (others = {}) {
      const recent = (await hasJustBegun(app, this.signedIn.session.token)) ? bySession : undefined
      const body = this.body as Record<string, unknown>
      const answered = methods.filter(({ field }) => isAnswer(body[field]))
      // A validate-only request that asks about other fields is no guess.
      const isGuess = answered.length > 0 && methods.some(({ field }) => this.asks(field))
      const right = recent ?? (isGuess ? await guess(app.db, this, answered) : undefined)

      const failed = right ? [] : answered.length > 0 ? answered : [password]
      const errors = withMessages({ ...others, ...Object.assign({}, ...failed.map(refusalOf)) })
      if (!right || Object.keys(errors).length > 0) throw new Invalid(errors)
      return right
    })
  },
  { name: 'reauthentication', dependencies: ['database', 'limits', 'precognition', 'security-log', 'session'] },
)

const isAnswer = (given: unknown) => given !== undefined && given !== null && given !== ''

const refusalOf = ({ field }: { field: string }) => ({ [field]: [text('is invalid')] })

/** The first answer that is right. A request is one guess, however many fields it fills in. */
async function guess(db: Database, request: FastifyRequest, answered: Method[]) {
  const right = await guessing(db, 'challenge', request.signedIn.user.id, async () => {
    for (const { field, verify } of answered) {
      const redeem = await verify(request, (request.body as Record<string, unknown>)[field])
      if (redeem) return { field, redeem }
    }
    return undefined
  })
  request.security('challenge', right ? 'right' : 'wrong')
  return right
}

const byPassword = (db: Database): Method => ({
  field: 'password_challenge',
  async verify(request, answer) {
    const { id } = request.signedIn.user
    const [user] = await db.select({ digest: users.passwordDigest }).from(users).where(eq(users.id, id))
    if (!user || !(await isPassword(String(answer), user.digest))) return undefined
    return (_tx, { passwordDigest }) => passwordDigest === user.digest
  },
})

const fiveMinutesMs = 300_000

/** Whether the session of a person without a password has just begun. Undefined if they have one. */
export async function hasJustBegun({ db, now }: Pick<FastifyInstance, 'db' | 'now'>, token: string) {
  const [found] = await db
    .select({ createdAt: sessions.createdAt })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.token, token), isNull(users.passwordDigest)))
  return found && found.createdAt.getTime() + fiveMinutesMs > now().getTime()
}

// For people without a password, a session that has just begun proves as much as a password would.
const bySession: Reauthentication = { field: 'password_challenge', redeem: (_tx, user) => user.passwordDigest === null }

/** Locks the user's row for a change, and redeems the proof. Throws Invalid if it is void by now. */
export async function lockUser(tx: Tx, userId: number, { field, redeem }: Reauthentication) {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  if (!user || !(await redeem(tx, user))) throw new Invalid(refusalOf({ field }))
  return user
}
