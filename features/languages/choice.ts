import { and, eq, sql } from 'drizzle-orm'
import { users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'
import { whileSignedIn } from '../../plugins/security/while-signed-in.ts'
import type { Session } from '../auth/requests.ts'

/** Saves the language that somebody wants to read and get mails in. Null for none. Throws SignedOut. */
export const saveLanguage = (db: Database, { userId, token }: Session, language: string | null) =>
  whileSignedIn(db, token, (tx) =>
    tx
      .update(users)
      .set({ language })
      .where(and(eq(users.id, userId), sql`${users.language} is distinct from ${language}`)),
  )
