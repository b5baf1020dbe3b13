import { and, eq, sql } from 'drizzle-orm'
import { memberships } from '../../../drizzle/schema.ts'
import type { Database } from '../../../plugins/database/index.ts'
import { Refused } from '../../../plugins/forms/index.ts'
import { text } from '../../../plugins/languages/index.ts'
import { hasSecondFactor, sessionHasSecondFactor } from '../../accounts/access.ts'
import type { Session } from '../reauthentication/index.ts'

export const stopRequiringFirst = () => new Refused(text('Stop requiring single sign-on first'))

/** Whether they own the account, and could get in with a second factor that this session has not proved. */
export async function ownerWithoutProof(db: Database, { userId, token }: Session, accountId: number) {
  const isOwner = and(
    eq(memberships.accountId, accountId),
    eq(memberships.userId, userId),
    eq(memberships.role, 'owner'),
  )
  const isProvable = and(hasSecondFactor(memberships.userId), sql`${sessionHasSecondFactor(sql`${token}`)} is not true`)
  return (await db.$count(memberships, and(isOwner, isProvable))) > 0
}
