import { and, eq, sql } from 'drizzle-orm'
import { type Account, memberships } from '../../../drizzle/schema.ts'
import type { Database, Tx } from '../../../plugins/database/index.ts'
import { Denied, Refused } from '../../../plugins/forms/index.ts'
import { text } from '../../../plugins/languages/index.ts'
import { type Actor, asMember, hasSecondFactor, sessionHasSecondFactor } from '../../accounts/access.ts'
import { owns } from '../../accounts/roles.ts'
import type { Session } from '../reauthentication/index.ts'

type Options = Parameters<typeof asMember>[3]

/** Only owners change single sign-on. Locks the account. Throws as asMember does, and Denied. */
export const asOwner = <Result>(
  db: Database,
  actor: Actor,
  work: (tx: Tx, account: Account) => Promise<Result>,
  options?: Options,
) =>
  asMember(
    db,
    actor,
    (tx, role, account) => {
      if (!owns(role)) throw new Denied()
      return work(tx, account)
    },
    options,
  )

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
