import { eq } from 'drizzle-orm'
import { users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { Invalid, refuse } from '../../plugins/forms/index.ts'
import { holdUser } from '../../plugins/security/challenges.ts'
import { leaveAllAccounts } from '../accounts/memberships.ts'
import { nameMessages } from '../auth/users.ts'

/** The new name; undefined when it shall stay. Throws Invalid. */
export function checkProfile({ name }: { name?: string | null }) {
  if (name === undefined) return undefined
  refuse({ name: nameMessages(name ?? '') })
  return name ?? undefined
}

export const updateProfile = (db: Database, userId: number, name: string) =>
  db.update(users).set({ name }).where(eq(users.id, userId))

/** The user is gone, with sessions and what nobody else needs. Throws Invalid when the challenge does not hold. */
export async function deleteUser(db: Database, userId: number, digest: string | undefined) {
  if (!digest) throw new Invalid(refusal)
  const deletion = db.transaction(async (tx) => {
    // Accounts before the user, in the order in which the deletion of an account locks them: else both could wait for ever.
    await leaveAllAccounts(tx, userId)
    await holdUser(tx, userId, digest)
    await tx.delete(users).where(eq(users.id, userId))
  })
  await deletion.catch((error) => {
    throw error instanceof Invalid ? new Invalid(refusal) : error
  })
}

const refusal = { password_challenge: ['Password challenge is invalid'] }
