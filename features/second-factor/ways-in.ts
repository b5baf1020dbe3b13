import { and, asc, count, eq, inArray, isNotNull, not, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, memberships, type User, users } from '../../drizzle/schema.ts'
import { recoveryCodes, secondFactors } from '../../drizzle/tables/second-factor.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { text } from '../../plugins/languages/index.ts'
import { selectAccounts } from '../accounts/accounts.ts'
import { type Ending, endFor } from '../accounts/endings.ts'
import { hasSecondFactor, member, type Requirement, type StrongProof } from '../accounts/requirements.ts'
import { recordWithNotice } from '../auth/notices.ts'
import { withdrawFactors } from '../auth/sessions.ts'
import type { SignInMethod } from '../auth/sign-in-methods.ts'
import { paths } from '../paths.ts'
import { forgetTrustedBrowsers } from './trusted-browsers.ts'

const factorsOfUsers = (db: Database | Tx, userIds: number[]) =>
  db
    .select({ userId: users.id, enabledAt: users.secondFactorAt, codesLeft: count(recoveryCodes.userId) })
    .from(users)
    .leftJoin(recoveryCodes, eq(recoveryCodes.userId, users.id))
    .where(and(inArray(users.id, userIds), isNotNull(users.secondFactorAt)))
    .groupBy(users.id)

/** When the second factor was enabled, and how many recovery codes are left. Undefined if it is off. */
export async function secondFactorOf(db: Database, userId: number) {
  const [factor] = await factorsOfUsers(db, [userId])
  return factor?.enabledAt ? { enabledAt: factor.enabledAt, codesLeft: factor.codesLeft } : undefined
}

/** The user must be locked. An operator who does it is nobody to them. */
export async function removeSecondFactor(app: FastifyInstance, tx: Tx, user: User, actorId: number | null = user.id) {
  const { id: userId } = user
  if (!user.secondFactorAt) return
  await tx.update(users).set({ secondFactorAt: null }).where(eq(users.id, userId))
  await tx.update(secondFactors).set({ secret: null }).where(eq(secondFactors.userId, userId))
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await forgetTrustedBrowsers(tx, userId)
  await withdrawFactors(app, tx, userId)
  await recordWithNotice(app, tx, user, 'second_factor_disabled', { actorId })
  await endFor(app, tx, 'secondStepRemoved', { user })
}

export const secondFactorMethod = (app: FastifyInstance): SignInMethod => ({
  name: 'second_factor',
  title: text('the authenticator app and its recovery codes'),
  isStep: true,
  async find(db, userIds) {
    const rows = await factorsOfUsers(db, userIds)
    return rows.map(({ userId, codesLeft }) => {
      const words = [text('your authenticator app'), recoveryCodesInWords(codesLeft)]
      return { userId, words, english: 'second factor' }
    })
  },
  async remove(tx, user, { before }) {
    const isConcerned = user.secondFactorAt !== null && (!before || user.secondFactorAt < before)
    if (isConcerned) await removeSecondFactor(app, tx, user)
    if (!before) await forgetTrustedBrowsers(tx, user.id)
    return isConcerned
  },
})

async function forget(tx: Tx, { userId }: { userId: number }) {
  await forgetTrustedBrowsers(tx, userId)
}

export const trustEnding: Ending = { name: 'second-factor', on: { passwordChanged: forget, factorsWithdrawn: forget } }

function recoveryCodesInWords(left: number) {
  if (left === 0) return text('no recovery codes')
  return left === 1 ? text('one recovery code') : text('{count} recovery codes', { count: left })
}

export const appProof: StrongProof = {
  name: 'second-factor',
  setUps: sql`select person.second_factor_at as set_up_at where person.second_factor_at is not null`,
}

/** Workspaces ask that people have a second factor, and that this session began with it or proved it since. */
export function secondFactorRequirements(app: FastifyInstance): Requirement[] {
  const required = 'requireSecondFactor'
  return [
    {
      name: 'second-factor-setup',
      rank: 2,
      required,
      // A token of the account acts for nobody, and shows what its session had.
      unmet: ({ isException }) => (isException ? sql`false` : sql`${hasSecondFactor(app, member.userId)} is not true`),
      path: () => paths.security(),
      invited: text('Two-factor authentication: a code from an app, or a passkey. You set one up when you join.'),
      alert: (accountName) => text('{accountName} requires two-factor authentication', { accountName }),
    },
    {
      name: 'second-factor',
      rank: 3,
      required,
      unmet: ({ twoFactors }) => sql`${twoFactors} is not true`,
      path: () => paths.secondFactor(),
    },
  ]
}

/** The accounts of a user who has no second factor, which they can't open until they have one. */
export async function accountsAskingForFactor(app: FastifyInstance, userId: number) {
  const isClosed = and(eq(accounts.requireSecondFactor, true), not(hasSecondFactor(app, memberships.userId)))
  const closed = await selectAccounts(app.db, userId, isClosed).orderBy(asc(accounts.name))
  return closed.map(({ account: { name, slug } }) => ({ name, slug }))
}
