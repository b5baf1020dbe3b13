import { eq } from 'drizzle-orm'
import { sessions } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../database/index.ts'

/** The session that asked for something ended before it was done. Leads to the sign-in page. */
export class SignedOut extends Error {}

/**
 * A transaction that commits only while the session that asked for it exists; whoever ends that session waits for it. Throws SignedOut. The session
 * is locked last, after accounts and users, which is the order in which deletions lock them.
 */
export async function whileSignedIn<Result>(
  db: Database,
  sessionToken: string,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const outcome = db.transaction(async (tx) => {
    const result = await work(tx)
    await holdSession(tx, sessionToken)
    return result
  })
  return outcome.catch(async (error) => {
    // Whoever was deleted meanwhile may find nothing any more, or refer to nobody.
    const [session] = await selectSession(db, sessionToken)
    throw session ? error : new SignedOut()
  })
}

/** For work that ends its own session, which has to ask before that. Throws SignedOut. */
export async function holdSession(tx: Tx, token: string) {
  const [session] = await selectSession(tx, token).for('share')
  if (!session) throw new SignedOut()
}

const selectSession = (db: Database | Tx, token: string) =>
  db.select({ token: sessions.token }).from(sessions).where(eq(sessions.token, token))
