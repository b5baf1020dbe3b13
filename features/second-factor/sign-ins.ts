import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { secondFactors, users } from '../../drizzle/schema.ts'
import type { First } from '../../plugins/security/session-method.ts'
import type { Tokens } from '../../plugins/security/tokens.ts'
import { startSession, type Visitor } from '../auth/sessions.ts'
import { lockFactor, tryCode } from './attempts.ts'

type App = Pick<FastifyInstance, 'db' | 'mail' | 'now' | 'sealing' | 'tokens'>
type User = Pick<typeof users.$inferSelect, 'id' | 'passwordDigest' | 'secondFactorAt'>
type Factor = typeof secondFactors.$inferSelect

/**
 * A token for the user whose password was right. It expires after ten minutes, when the password or the factor changes,
 * or when a code has led to a sign-in.
 */
export async function mintPendingSignIn({ db, tokens }: App, user: User) {
  const [factor] = await db.select().from(secondFactors).where(eq(secondFactors.userId, user.id))
  return tokens.mint({ purpose: 'pending_sign_in', userId: user.id, state: stateOf(user, factor) })
}

/** The user who can still prove a factor with this token. */
export async function userOfPendingSignIn({ db, tokens }: App, pending: string) {
  const token = tokens.read('pending_sign_in', pending)
  if (!token) return undefined
  const [row] = await db
    .select()
    .from(users)
    .innerJoin(secondFactors, eq(secondFactors.userId, users.id))
    .where(eq(users.id, token.userId))
  return row && isCurrent(token, row.users, row.second_factors) ? row.users.id : undefined
}

type Pending = { token: string; first: First | undefined }

/** Starts a session if the code is right. */
export function signInWithCode(
  app: App,
  { token: pending, first = 'password' }: Pending,
  code: string,
  visitor: Visitor,
) {
  return app.db.transaction(async (tx) => {
    const token = app.tokens.read('pending_sign_in', pending)
    const held = token && (await lockFactor(tx, token.userId))
    if (!held || !isCurrent(token, held.user, held.factor)) return { outcome: 'stale', user: token?.userId } as const

    const tried = await tryCode(app, tx, held, code)
    if (tried.outcome !== 'right') return tried
    return { ...tried, started: await startSession(tx, app.now(), held.user, visitor, `${first}_and_${tried.kind}`) }
  })
}

type Token = NonNullable<ReturnType<Tokens['read']>>

const isCurrent = (token: Token, user: User, factor: Factor) =>
  user.secondFactorAt !== null && token.isFor(stateOf(user, factor))

const stateOf = ({ passwordDigest, secondFactorAt }: User, factor: Factor | undefined) =>
  [passwordDigest, secondFactorAt?.getTime(), factor?.uses].join(' ')
