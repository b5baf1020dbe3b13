import { eq, sql } from 'drizzle-orm'
import { accounts, invitations, memberships } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'

/** Whether an account was made at somebody's sign-up, and what its managers have not done yet. */
export async function firstSteps(db: Database, accountId: number, user: { name: string }) {
  const [found] = await db
    .select({
      personal: accounts.personal,
      name: accounts.name,
      invited: sql<boolean>`
        exists (select 1 from ${invitations} where account_id = ${accountId})
        or (select count(*) from ${memberships} where account_id = ${accountId}) > 1`,
    })
    .from(accounts)
    .where(eq(accounts.id, accountId))
  const { personal = false, name, invited = false } = found ?? {}
  // It has the name of the person until somebody gives it one of its own.
  return { personal, named: !personal || name !== user.name, invited }
}
