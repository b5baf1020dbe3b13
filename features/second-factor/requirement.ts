import { and, asc, eq, not, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, memberships } from '../../drizzle/schema.ts'
import { text } from '../../plugins/languages/index.ts'
import { selectAccounts } from '../accounts/accounts.ts'
import { hasSecondFactor, member, type Requirement, type StrongProof } from '../accounts/requirements.ts'
import { paths } from '../paths.ts'

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
