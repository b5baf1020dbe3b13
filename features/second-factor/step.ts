import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type User, users } from '../../drizzle/schema.ts'
import { type SecondFactor, secondFactors } from '../../drizzle/tables/second-factor.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { Invalid } from '../../plugins/forms/index.ts'
import { text } from '../../plugins/languages/index.ts'
import { TooManyRequests } from '../../plugins/security/limits/index.ts'
import { deviceOf } from '../auth/device.ts'
import type { Answer, SecondStep, Work } from '../auth/factors.ts'
import { recordWithNotice } from '../auth/notices.ts'
import { isPending } from '../auth/pending-sign-in.ts'
import { consumeRecoveryCode, isFromApp, normalizeCode, stepOf } from './codes.ts'
import { acceptStep, openSecret, ownerOf, wrongCode } from './second-factors.ts'
import { mayTrustBrowsers, trustBrowser, trustOf } from './trusted-browsers.ts'
import { secondFactorOf } from './ways-in.ts'
import { stepWords } from './words.ts'

const browserTrusted = text('The browser is trusted now: for 30 days, it needs no second step to sign in.')
const browserNotTrusted = text('The browser is not trusted: a second step is needed each time.')

/** A code from an app, or a recovery code. Trusted browsers stand in for it. */
export function stepByCode(app: FastifyInstance): SecondStep {
  const { now } = app
  return {
    id: 'code',
    words: stepWords,
    isSetUp: async (db, userId) => (await secondFactorOf(db, userId)) !== undefined,
    isAnsweredBy: ({ code }) => typeof code === 'string',
    prove: proveCode,
    refusal: () => new Invalid(wrongCode),
    isAskedOf: ({ secondFactorAt }) => secondFactorAt !== null,

    async stateOf(db, userId) {
      const [factor] = await db.select().from(secondFactors).where(eq(secondFactors.userId, userId))
      return factor?.uses
    },
    endPending: (tx, userId) =>
      tx
        .update(secondFactors)
        .set({ uses: sql`${secondFactors.uses} + 1` })
        .where(eq(secondFactors.userId, userId)),

    async standIn(tx, user, device) {
      const twoFactorsSince = mayTrustBrowsers(app, user) ? await trustOf(tx, user.id, device, now()) : undefined
      return twoFactorsSince && { secondFactor: 'trusted_browser', twoFactorsSince }
    },
    // Never for a recovery code, which is for emergencies.
    async remember(request, tx, user, { secondFactor, twoFactorsSince }, { trust }) {
      if (secondFactor === 'recovery_code' || !mayTrustBrowsers(app, user) || (trust !== true && trust !== 'true'))
        return undefined
      const trusted = { userId: user.id, twoFactorsSince, device: deviceOf(request), now: now() }
      return trustBrowser(tx, trusted)
    },
    aboutBrowser: (isTrusted) => (isTrusted ? browserTrusted : browserNotTrusted),
  }
}

const triesUntilLocked = 10

/** Calls `work` in the transaction that consumes the code. Undefined if it is wrong. Throws TooManyRequests. */
async function proveCode<Result>(request: FastifyRequest, userId: number, { code: typed }: Answer, work: Work<Result>) {
  const { server: app, auth } = request
  const code = normalizeCode(typed ?? '')
  if (code === '') throw new Invalid(wrongCode) // not a guess
  const proof = await app.db.transaction(async (tx) => {
    const owner = await lockFactor(tx, userId)
    const isOpen = owner && (auth ? owner.user.secondFactorAt : await isPending(request, tx, owner.user))
    // A concurrent request with the same code has ended the pending sign-in, so this is not a wrong guess.
    if (!isOpen) return { outcome: auth ? 'wrong' : 'stale' } as const
    const tried = await tryCode(app, tx, owner, code)
    if (tried.outcome !== 'right') return tried
    const added = { secondFactor: tried.kind, twoFactorsSince: owner.user.secondFactorAt }
    return { ...tried, result: await work(tx, owner.user, added) }
  })
  request.security('second_factor', proof.outcome, { user: userId })
  if (proof.outcome === 'locked') throw new TooManyRequests('second_factor', proof.lockedFor)
  return proof.outcome === 'right' ? proof.result : undefined
}

/**
 * Locks both rows: the user's, to keep password and factor unchanged, and the factor's, to serialize attempts. What
 * follows may change the user, and two that share a lock would wait for each other.
 */
async function lockFactor(tx: Tx, userId: number) {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('no key update')
  const lockedFor = sql<number>`greatest(0, ceil(extract(epoch from ${secondFactors.lockedUntil} - now())))::int`
  const [row] = await tx
    .select({ factor: secondFactors, lockedFor })
    .from(secondFactors)
    .where(eq(secondFactors.userId, userId))
    .for('update')
  return user && row && { user, ...row }
}

type Locked = NonNullable<Awaited<ReturnType<typeof lockFactor>>>

/** Attempts run one after the other for each user, so concurrent requests do not allow more of them. */
async function tryCode(app: FastifyInstance, tx: Tx, { user, factor, lockedFor }: Locked, code: string) {
  const kind = isFromApp(code) ? 'code' : 'recovery_code'
  // Recovery codes cannot be guessed, so they work despite the lock. Otherwise, an attacker could lock users out.
  if (kind === 'code' && lockedFor > 0) return { outcome: 'locked', lockedFor } as const
  const right = kind === 'code' ? await isFresh(app, tx, factor, code) : await consumeRecoveryCode(tx, user.id, code)
  if (!right) {
    await countWrongCode(app, tx, user, factor)
    return { outcome: 'wrong' } as const
  }
  if (kind === 'recovery_code') await recordWithNotice(app, tx, user, 'recovery_code_used', {})
  const secret = factor.secret && app.sealing.renew(factor.secret, ownerOf(user.id))
  const values = { secret, uses: factor.uses + 1, wrongCodes: 0, locks: 0, lockedUntil: null }
  await tx.update(secondFactors).set(values).where(eq(secondFactors.userId, user.id))
  return { outcome: 'right', kind } as const
}

async function isFresh({ now, sealing }: FastifyInstance, tx: Tx, { userId, secret }: SecondFactor, code: string) {
  const step = secret ? stepOf(openSecret(sealing, userId, secret), code, now()) : undefined
  return step !== undefined && acceptStep(tx, userId, step)
}

// 15 minutes, 30, 60, … at most a day. With 15 minutes each time, an attacker would have one chance in twelve a month.
const lockTime = sql`least(interval '1 day', interval '15 minutes' * 2 ^ least(${secondFactors.locks}, 7))`

/** Every ten in a row lock the factor, each time twice as long. They come from someone who has the password. */
async function countWrongCode(app: FastifyInstance, tx: Tx, user: User, { userId, wrongCodes }: SecondFactor) {
  const wrong = wrongCodes + 1
  const isLocked = wrong % triesUntilLocked === 0
  const lock = isLocked ? { locks: sql`${secondFactors.locks} + 1`, lockedUntil: sql`now() + ${lockTime}` } : {}
  const values = { wrongCodes: wrong, ...lock }
  await tx.update(secondFactors).set(values).where(eq(secondFactors.userId, userId))
  if (isLocked) await recordWithNotice(app, tx, user, 'second_factor_locked', { actorId: null })
}
