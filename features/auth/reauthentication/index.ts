import { and, eq, isNull } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sessions, type User, users } from '../../../drizzle/schema.ts'
import type { List } from '../../../plugins/composition.ts'
import type { Database, Tx } from '../../../plugins/database/index.ts'
import type { Messages } from '../../../plugins/forms/flash.ts'
import { Invalid, Refused, withMessages } from '../../../plugins/forms/index.ts'
import { text } from '../../../plugins/languages/index.ts'
import { isPassword } from '../../../plugins/security/digests.ts'
import { guessing } from '../../../plugins/security/limits/index.ts'
import { sessionTransaction } from '../../../plugins/security/session-transaction.ts'

/** Proof that the signed-in person is still the one at the screen, for a transaction. */
export type ReauthenticationProof = {
  /** The field that proved it, which gets the message if the proof is no longer valid. */
  field: string
  consume: Consume
}

/** Called with the user locked. Consumes what can be used once. False if the proof is no longer valid. */
type Consume = (tx: Tx, user: User) => boolean | Promise<boolean>

/** What can prove it, in a field of its own. */
type Way = {
  field: string
  /** Checks an answer, which may be anything, without consuming it. Undefined if it is wrong. */
  verify(request: FastifyRequest, answer: unknown): Promise<Consume | undefined>
}

declare module 'fastify' {
  interface FastifyInstance {
    reauthenticationProofs: List<Way>
  }
  interface FastifyContextConfig {
    /** The page has forms that ask for the current password. */
    reauthenticates?: true
  }
}

// Last, since a password is slow to verify.
const waysOf = ({ reauthenticationProofs }: FastifyInstance) => [...reauthenticationProofs, byPassword]

/**
 * Verifies that the signed-in person is still the one at the screen: by the current password or what options add, or
 * without a password by a session that has just begun. One right answer is enough. Wrong ones count against the user.
 * Throws TooManyRequests, or Invalid together with `others`, the errors of the other fields.
 */
export async function reauthenticate(request: FastifyRequest, others: Messages = {}): Promise<ReauthenticationProof> {
  const recent = (await hasJustBegun(request.server, request.signedIn.session.token)) ? bySession : undefined
  const ways = waysOf(request.server)
  const answered = ways.filter(({ field }) => isAnswer(answerIn(request, field)))
  // A validate-only request about other fields is not a guess.
  const isGuess = answered.length > 0 && ways.some(({ field }) => request.asks(field))
  const right = recent ?? (isGuess ? await guess(request, answered) : undefined)

  const failed = right ? [] : answered.length > 0 ? answered : [byPassword]
  const errors = withMessages({ ...others, ...Object.assign({}, ...failed.map(({ field }) => refusalOf(field))) })
  if (!right || Object.keys(errors).length > 0) throw new Invalid(errors)
  return right
}

const answerIn = ({ body }: FastifyRequest, field: string) => (body as Record<string, unknown>)[field]
const isAnswer = (value: unknown) => value !== undefined && value !== null && value !== ''
const refusalOf = (field: string) => ({ [field]: [text('is invalid')] })

/** The first right answer. A request is one guess, however many fields it has. */
async function guess(request: FastifyRequest, answered: Way[]): Promise<ReauthenticationProof | undefined> {
  const right = await guessing(request.server.db, request.signedIn.user.id, async () => {
    for (const { field, verify } of answered) {
      const consume = await verify(request, answerIn(request, field))
      if (consume) return { field, consume }
    }
    return undefined
  })
  request.security('challenge', right ? 'right' : 'wrong')
  return right
}

const byPassword: Way = {
  field: 'password_challenge',
  async verify({ server, signedIn }, answer) {
    const isCurrent = eq(users.id, signedIn.user.id)
    const [user] = await server.db.select({ digest: users.passwordDigest }).from(users).where(isCurrent)
    if (!user || !(await isPassword(String(answer), user.digest))) return undefined
    return (_tx, { passwordDigest }) => passwordDigest === user.digest
  },
}

const fiveMinutesMs = 300_000

/** Whether the session of a person without a password has just begun. Undefined if they have a password. */
export async function hasJustBegun({ db, now }: FastifyInstance, token: string) {
  const [match] = await db
    .select({ createdAt: sessions.createdAt })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.token, token), isNull(users.passwordDigest)))
  return match && match.createdAt.getTime() + fiveMinutesMs > now().getTime()
}

// For people without a password, a recent session is proof enough.
const bySession: ReauthenticationProof = {
  field: byPassword.field,
  consume: (_tx, user) => user.passwordDigest === null,
}

/** Locks the user's row and consumes the proof. Throws Invalid if it is no longer valid, or if there is none. */
export async function lockUserAndConsumeProof(
  tx: Tx,
  userId: number,
  reauthentication: ReauthenticationProof | undefined,
) {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  if (!user || !(await reauthentication?.consume(tx, user)))
    throw new Invalid(refusalOf(reauthentication?.field ?? byPassword.field))
  return user
}

/** Otherwise someone could sign up with another person's address and keep access to it. Throws Refused. */
export function requireVerified<User extends { verified: boolean }>(user: User | undefined) {
  if (!user?.verified) throw new Refused(text('Verify your email first'))
  return user
}

/** Everyone knows the demo user's password, and could keep access by what it connects. Throws Refused. */
export function refuseDemoUser({ server, signedIn }: FastifyRequest) {
  if (signedIn.user.email === server.site.demoEmail) throw new Refused(text('The demo user connects nothing'))
}

/** Locks the user for a change that needs a verified address. Throws Refused. */
export async function lockVerified(tx: Tx, userId: number) {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  return requireVerified(user)
}

/** The user and the session that asks. Nothing is done unless the session still exists. */
export type Session = { userId: number; token: string }

export type Reauthenticated = Session & { reauthentication: ReauthenticationProof }

export const reauthenticateSession = async (request: FastifyRequest, others?: Messages): Promise<Reauthenticated> => ({
  ...request.signedIn.session,
  reauthentication: await reauthenticate(request, others),
})

/** A transaction with the user locked. Throws Invalid if the proof is no longer valid, or SignedOut. */
export const withReauthentication = <Result>(
  db: Database,
  { userId, token, reauthentication }: Reauthenticated,
  work: (tx: Tx, user: User) => Promise<Result>,
) => sessionTransaction(db, token, async (tx) => work(tx, await lockUserAndConsumeProof(tx, userId, reauthentication)))
