import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { secondFactors } from '../../drizzle/tables/second-factor.ts'
import { Invalid } from '../../plugins/forms/index.ts'
import { text } from '../../plugins/languages/index.ts'
import { deviceOf } from '../auth/device.ts'
import type { SecondStep } from '../auth/factors.ts'
import { withCode } from './attempts.ts'
import { wrongCode } from './second-factors.ts'
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
    prove: (request, userId, { code }, work) =>
      withCode(request, userId, code ?? '', (tx, user, secondFactor) =>
        work(tx, user, { secondFactor, twoFactorsSince: user.secondFactorAt }),
      ),
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
