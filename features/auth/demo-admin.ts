import { eq, sql } from 'drizzle-orm'
import { users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { normalizeEmail } from '../../plugins/mail/email-address.ts'
import { digestOf } from '../../plugins/security/digests.ts'
import { createAccount } from '../accounts/accounts.ts'
import { deleteSessions } from './sessions.ts'

/** Ensures that the demo user exists, is verified, has this password and no sessions, also in two processes at once. */
export async function ensureDemoAdmin(db: Database, { email, password }: { email: string; password: string }) {
  const passwordDigest = await digestOf(password)
  const now = new Date()
  await db.transaction(async (tx) => {
    const values = { name: 'Admin', email: normalizeEmail(email), passwordDigest, verified: true, verifiedAt: now }
    const [created] = await tx.insert(users).values(values).onConflictDoNothing().returning()
    if (created) return createAccount(tx, "Admin's account", created.id, { personal: true })

    const verifiedAt = sql`case when verified then verified_at else ${now.toISOString()} end`
    const [existing] = await tx
      .update(users)
      .set({ passwordDigest, verified: true, verifiedAt })
      .where(eq(users.email, values.email))
      .returning({ id: users.id })
    if (existing) await deleteSessions(tx, existing.id)
  })
}
