import { and, eq, isNull } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sessions, type User, users } from '../../../drizzle/schema.ts'
import type { Database, Tx } from '../../../plugins/database/index.ts'
import type { Messages } from '../../../plugins/forms/flash.ts'
import { Invalid, withMessages } from '../../../plugins/forms/index.ts'
import { parseJson } from '../../../plugins/http/bodies.ts'
import { text } from '../../../plugins/languages/index.ts'
import { isPassword } from '../../../plugins/security/digests.ts'
import { guessing } from '../../../plugins/security/limits/index.ts'
import { sessionTransaction } from '../../../plugins/security/session-transaction.ts'
import { findAssertion, isCopied, spendAssertion } from '../../passkeys/webauthn/assertions.ts'
import { isSpent } from '../../passkeys/webauthn/challenges.ts'
import { isTooLong } from '../../passkeys/webauthn/relying-party.ts'

/** Proof that the signed-in person is still the one at the screen, for a transaction. */
export type ReauthenticationProof = {
  /** The field that proved it, which gets the message if the proof is no longer valid. */
  field: Field
  /** Called with the user locked. Consumes what can be used once. False if the proof is no longer valid. */
  redeem(tx: Tx, user: User): boolean | Promise<boolean>
}

// The passkey first, since a password is slow to verify.
const fields = ['passkey_challenge', 'password_challenge'] as const
type Field = (typeof fields)[number]

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The page has forms that ask for the current password. */
    reauthenticates?: true
  }
}

/**
 * Verifies that the signed-in person is still the one at the screen: by the current password or a passkey, or without a
 * password by a session that has just begun. One right answer is enough. Wrong ones count against the user. Throws
 * TooManyRequests, or Invalid together with `others`, the errors of the other fields.
 */
export async function reauthenticate(request: FastifyRequest, others: Messages = {}): Promise<ReauthenticationProof> {
  const recent = (await hasJustBegun(request.server, request.signedIn.session.token)) ? bySession : undefined
  const answered = fields.filter((field) => isAnswer(answerIn(request, field)))
  // A validate-only request about other fields is not a guess.
  const isGuess = answered.length > 0 && fields.some((field) => request.asks(field))
  const right = recent ?? (isGuess ? await guess(request, answered) : undefined)

  const failed: Field[] = right ? [] : answered.length > 0 ? answered : ['password_challenge']
  const errors = withMessages({ ...others, ...Object.assign({}, ...failed.map(refusalOf)) })
  if (!right || Object.keys(errors).length > 0) throw new Invalid(errors)
  return right
}

const answerIn = ({ body }: FastifyRequest, field: Field) => (body as Partial<Record<Field, unknown>>)[field]
const isAnswer = (value: unknown) => value !== undefined && value !== null && value !== ''
const refusalOf = (field: Field) => ({ [field]: [text('is invalid')] })

/** The first right answer. A request is one guess, however many fields it has. */
async function guess(request: FastifyRequest, answered: Field[]): Promise<ReauthenticationProof | undefined> {
  const right = await guessing(request.server.db, request.signedIn.user.id, async () => {
    for (const field of answered) {
      const verify = field === 'passkey_challenge' ? verifyPasskey : verifyPassword
      const redeem = await verify(request, answerIn(request, field))
      if (redeem) return { field, redeem }
    }
    return undefined
  })
  request.security('challenge', right ? 'right' : 'wrong')
  return right
}

// Both check an answer, which may be anything, without consuming it. Undefined if it is wrong.

async function verifyPassword(request: FastifyRequest, answer: unknown) {
  const isCurrent = eq(users.id, request.signedIn.user.id)
  const [user] = await request.server.db.select({ digest: users.passwordDigest }).from(users).where(isCurrent)
  if (!user || !(await isPassword(String(answer), user.digest))) return undefined
  return (_tx: Tx, { passwordDigest }: User) => passwordDigest === user.digest
}

async function verifyPasskey(request: FastifyRequest, answer: unknown) {
  const { id } = request.signedIn.user
  const match = await findAssertion(request.server, reauthenticationScope(id), assertionIn(answer), id)
  if (!match?.assertion) return undefined
  const { passkey, assertion } = match
  if (isCopied(passkey, assertion)) return void request.security('passkey', 'counter')
  if (await isSpent(request.server.db, assertion.answered.challenge)) return undefined
  return (tx: Tx) => spendAssertion(request, tx, passkey, assertion)
}

export const reauthenticationScope = (userId: number) => ({ purpose: 'reauthentication', of: String(userId) }) as const

function assertionIn(answer: unknown) {
  if (typeof answer !== 'string') return answer
  return isTooLong(answer) ? undefined : parseJson(answer)
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
  field: 'password_challenge',
  redeem: (_tx, user) => user.passwordDigest === null,
}

/** Locks the user's row and redeems the proof. Throws Invalid if it is no longer valid, or if there is none. */
export async function lockUser(tx: Tx, userId: number, reauthentication: ReauthenticationProof | undefined) {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  if (!user || !(await reauthentication?.redeem(tx, user)))
    throw new Invalid(refusalOf(reauthentication?.field ?? 'password_challenge'))
  return user
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
) => sessionTransaction(db, token, async (tx) => work(tx, await lockUser(tx, userId, reauthentication)))
