import { eq, sql } from 'drizzle-orm'
import { accounts, invitations, memberships } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'

/** What the managers of a personal account, created at sign-up, have yet to do. */
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
  // A personal account has the user's name until it is renamed.
  return { personal, named: !personal || name !== user.name, invited }
}
