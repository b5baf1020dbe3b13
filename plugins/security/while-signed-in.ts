import { eq } from 'drizzle-orm'
import { sessions } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../database/index.ts'

export class SignedOut extends Error {}

/**
 * Commits only if the session still exists, and makes a concurrent sign-out wait. Throws SignedOut. The session is
 * locked last, after accounts and users, as deletions lock them.
 */
export const whileSignedIn = <Result>(
  db: Database,
  sessionToken: string,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> =>
  unlessSignedOut(db, sessionToken, async (tx) => {
    const result = await work(tx)
    await lockSession(tx, sessionToken)
    return result
  })

/** The same for work that locks the session itself, such as to give it another token. */
export const unlessSignedOut = <Result>(
  db: Database,
  sessionToken: string,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> =>
  db.transaction(work).catch(async (error) => {
    // If the user was deleted meanwhile, the work may fail in other ways, such as a foreign key violation.
    const [session] = await selectSession(db, sessionToken)
    throw session ? error : new SignedOut()
  })

/** For transactions that delete their own session. Throws SignedOut. */
export async function lockSession(tx: Tx, token: string) {
  const [session] = await selectSession(tx, token).for('share')
  if (!session) throw new SignedOut()
}

const selectSession = (db: Database | Tx, token: string) =>
  db.select({ token: sessions.token }).from(sessions).where(eq(sessions.token, token))
