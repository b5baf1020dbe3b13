import { eq } from 'drizzle-orm'
import { users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { assertValid } from '../../plugins/forms/index.ts'
import { whileSignedIn } from '../../plugins/security/while-signed-in.ts'
import type { Session } from '../auth/requests.ts'
import { nameMessages } from '../auth/users.ts'

/** The new name, or undefined to keep the old one. Throws Invalid. */
export function checkProfile({ name }: { name?: string | null }) {
  if (name === undefined) return undefined
  assertValid({ name: nameMessages(name ?? '') })
  return name ?? undefined
}

/** Throws SignedOut. */
export const updateProfile = (db: Database, { userId, token }: Session, name: string) =>
  whileSignedIn(db, token, (tx) => tx.update(users).set({ name }).where(eq(users.id, userId)))
