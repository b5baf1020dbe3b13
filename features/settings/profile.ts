import { sql } from 'drizzle-orm'
import { users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { assertValid } from '../../plugins/forms/index.ts'
import { whileSignedIn } from '../../plugins/security/while-signed-in.ts'
import { recording } from '../activity/index.ts'
import { nameMessages } from '../auth/sign-up.ts'
import type { Session } from '../reauthentication/index.ts'

/** The new name, or undefined to keep the old one. Throws Invalid. */
export function checkProfile({ name }: { name?: string | null }) {
  if (name === undefined) return undefined
  assertValid({ name: nameMessages(name ?? '') })
  return name ?? undefined
}

/** Throws SignedOut. */
export const updateProfile = (db: Database, { userId, token }: Session, name: string) =>
  whileSignedIn(db, token, (tx) => {
    const changed = { userId, from: sql`changed.name`, to: name }
    // A single statement, so the record contains the old name.
    return tx.execute(sql`
      with changed as (select name from ${users} where id = ${userId} and name <> ${name}), recorded as (
        ${recording('profile_changed', changed, sql`changed`)}
      )
      update ${users} set name = ${name}, updated_at = now() where id = ${userId}`)
  })
