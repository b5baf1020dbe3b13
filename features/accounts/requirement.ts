import { eq, type SQL, sql } from 'drizzle-orm'
import { passkeys, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { Invalid } from '../../plugins/forms/index.ts'

/** Whether a password alone would be enough to sign in: no authenticator app and no passkey. */
export const lacksFactor = (userId: SQL) => sql<boolean>`not exists (
  select from ${users} who where who.id = ${userId}
  and (who.second_factor_at is not null or exists (select from ${passkeys} own where own.user_id = who.id)))`

/** Owners without a second factor would lock themselves out first. Throws Invalid. */
export async function checkOwnFactor(db: Database | Tx, userId: number) {
  const [user] = await db
    .select({ lacks: lacksFactor(sql`${userId}::bigint`) })
    .from(users)
    .where(eq(users.id, userId))
  if (user?.lacks) throw new Invalid({ require_second_factor: ['needs a second factor of your own'] })
}
