import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { secondFactors, users } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import type { Tokens } from '../../plugins/security/tokens.ts'
import { record } from '../activity/index.ts'
import { startSession, type Visitor } from '../auth/sessions.ts'
import { isFromApp, normalizeCode, stepOf } from './codes.ts'
import { spendRecoveryCode } from './recovery-codes.ts'
import { acceptStep, ownerOf } from './second-factors.ts'

type App = Pick<FastifyInstance, 'db' | 'mail' | 'now' | 'sealing' | 'tokens'>
type User = Pick<typeof users.$inferSelect, 'id' | 'passwordDigest' | 'secondFactorAt'>
type Factor = typeof secondFactors.$inferSelect

const triesUntilLocked = 10
const locked = sql`interval '15 minutes'`

/**
 * A token for the user whose password was right. It expires after ten minutes, when the password or the factor changes,
 * or when a code has led to a sign-in.
 */
export async function mintPending({ db, tokens }: App, user: User) {
  const [factor] = await db.select().from(secondFactors).where(eq(secondFactors.userId, user.id))
  return tokens.mint({ purpose: 'pending_sign_in', userId: user.id, state: stateOf(user, factor) })
}

/** Whether a code can still be entered for this token. */
export async function isPending({ db, tokens }: App, pending: string) {
  const token = tokens.read('pending_sign_in', pending)
  if (!token) return false
  const [row] = await db
    .select()
    .from(users)
    .innerJoin(secondFactors, eq(secondFactors.userId, users.id))
    .where(eq(users.id, token.userId))
  return row !== undefined && isCurrent(token, row.users, row.second_factors)
}

/**
 * Starts a session if the code is right. Attempts are counted per user and run one after the other, so neither
 * concurrent requests nor several pending sign-ins allow more of them.
 */
export function proveSecondFactor(app: App, pending: string, code: string, visitor: Visitor) {
  return app.db.transaction(async (tx) => {
    const token = app.tokens.read('pending_sign_in', pending)
    const found = token && (await hold(tx, token.userId))
    if (!found || !isCurrent(token, found.user, found.factor)) return { outcome: 'stale', user: token?.userId } as const

    const { user, factor, lockedFor } = found
    const typed = normalizeCode(code)
    if (typed === '') return { outcome: 'wrong', user: user.id } as const // not a guess
    if (isFromApp(typed) && lockedFor > 0) return { outcome: 'locked', user: user.id, lockedFor } as const
    const right = isFromApp(typed) ? await isFresh(app, tx, factor, typed) : await isRecovery(app, tx, user, typed)
    if (!right) return countWrongCode(tx, factor)

    const secret = factor.secret && app.sealing.renew(factor.secret, ownerOf(user.id))
    const values = { secret, uses: factor.uses + 1, wrongCodes: 0, lockedUntil: null }
    await tx.update(secondFactors).set(values).where(eq(secondFactors.userId, user.id))
    return { outcome: 'right', user: user.id, started: await startSession(tx, app.now(), user, visitor) } as const
  })
}

/** Locks both rows: the user's, to keep password and factor unchanged, and the factor's, to serialize attempts. */
async function hold(tx: Tx, userId: number) {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('share')
  const lockedFor = sql<number>`greatest(0, ceil(extract(epoch from ${secondFactors.lockedUntil} - now())))::int`
  const [found] = await tx
    .select({ factor: secondFactors, lockedFor })
    .from(secondFactors)
    .where(eq(secondFactors.userId, userId))
    .for('update')
  return user && found && { user, ...found }
}

async function isFresh({ now, sealing }: App, tx: Tx, { userId, secret }: Factor, code: string) {
  const step = secret ? stepOf(sealing.open(secret, ownerOf(userId)), code, now()) : undefined
  return step !== undefined && acceptStep(tx, userId, step)
}

/** Recovery codes cannot be guessed, so they work despite the lock. Otherwise, an attacker could lock users out. */
async function isRecovery({ mail }: App, tx: Tx, user: typeof users.$inferSelect, code: string) {
  if (!(await spendRecoveryCode(tx, user.id, code))) return false
  await record(tx, 'recovery_code_used', { userId: user.id })
  if (user.verified) await mail.queue(tx, 'recovery_code_used', { userId: user.id })
  return true
}

async function countWrongCode(tx: Tx, { userId, wrongCodes }: Factor) {
  const wrong = wrongCodes + 1
  const lock = wrong % triesUntilLocked === 0 ? { lockedUntil: sql`now() + ${locked}` } : {}
  await tx
    .update(secondFactors)
    .set({ wrongCodes: wrong, ...lock })
    .where(eq(secondFactors.userId, userId))
  return { outcome: 'wrong', user: userId } as const
}

type Token = NonNullable<ReturnType<Tokens['read']>>

const isCurrent = (token: Token, user: User, factor: Factor) =>
  user.secondFactorAt !== null && token.isFor(stateOf(user, factor))

const stateOf = ({ passwordDigest, secondFactorAt }: User, factor: Factor | undefined) =>
  [passwordDigest, secondFactorAt?.getTime(), factor?.uses].join(' ')
