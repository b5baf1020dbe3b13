import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { secondFactors, sessions, users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { hasTwoFactors } from '../../plugins/security/session-method.ts'
import type { Tokens } from '../../plugins/security/tokens.ts'
import { whileSignedIn } from '../../plugins/security/while-signed-in.ts'
import { addFactor } from '../auth/methods.ts'
import type { Session } from '../auth/requests.ts'
import { startSession, type Visitor } from '../auth/sessions.ts'
import { passkeysOf } from '../passkeys/passkeys.ts'
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

/** Starts a session if the code is right. */
export function signInWithCode(app: App, pending: string, code: string, visitor: Visitor) {
  return app.db.transaction(async (tx) => {
    const token = app.tokens.read('pending_sign_in', pending)
    const held = token && (await lockFactor(tx, token.userId))
    if (!held || !isCurrent(token, held.user, held.factor)) return { outcome: 'stale', user: token?.userId } as const

    const tried = await tryCode(app, tx, held, code)
    if (tried.outcome !== 'right') return tried
    return { ...tried, started: await startSession(tx, app.now(), held.user, visitor, `password_and_${tried.kind}`) }
  })
}

/** What a session that began with a password alone can prove. Undefined if it did not, or the person has nothing. */
export async function provableIn(db: Database, { userId, token }: Session) {
  const [[session], passkeys] = await Promise.all([
    db
      .select({ proved: hasTwoFactors(sessions.method), enabledAt: users.secondFactorAt })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(eq(sessions.token, token)),
    passkeysOf(db, userId),
  ])
  const provable = { code: Boolean(session?.enabledAt), passkey: passkeys.length > 0 }
  return session && !session.proved && (provable.code || provable.passkey) ? provable : undefined
}

/** Adds the code to how a session began, if it is right. Throws SignedOut. */
export function verifyInSession(app: App, session: Session, code: string) {
  return whileSignedIn(app.db, session.token, async (tx) => {
    const held = await lockFactor(tx, session.userId)
    if (!held?.user.secondFactorAt) return { outcome: 'wrong', user: session.userId } as const
    const tried = await tryCode(app, tx, held, code)
    if (tried.outcome === 'right') await addFactor(tx, session, tried.kind)
    return tried
  })
}

type Token = NonNullable<ReturnType<Tokens['read']>>

const isCurrent = (token: Token, user: User, factor: Factor) =>
  user.secondFactorAt !== null && token.isFor(stateOf(user, factor))

const stateOf = ({ passwordDigest, secondFactorAt }: User, factor: Factor | undefined) =>
  [passwordDigest, secondFactorAt?.getTime(), factor?.uses].join(' ')
