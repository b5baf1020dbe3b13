import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { startSession, type Visitor } from '../auth/sessions.ts'
import { findAssertion, usePasskey } from './assertions.ts'
import type { RelyingParty } from './relying-party.ts'

type App = Pick<FastifyInstance, 'db' | 'now'>
/** `of`: only a passkey of this user counts. */
type Answer = { response: unknown; isOurs: (challenge: string) => Date | undefined; of?: number | undefined }

type Outcome<Result> = { counter: 'fine' | 'behind'; user?: number; result?: Result }

/** Starts a session if the passkey signed our challenge. */
export const signInWithPasskey = (
  app: App,
  party: RelyingParty,
  { visitor, ...answer }: Answer & { visitor: Visitor },
) => withPasskey(app, party, answer, (tx, user) => startSession(tx, app.now(), user, visitor, 'passkey'))

/**
 * If the passkey signed our challenge, spends it and calls `work` for its user, in one transaction. `counter` is
 * `behind` if the passkey may be a copy.
 */
export async function withPasskey<Result>(
  app: App,
  party: RelyingParty,
  { response, isOurs, of }: Answer,
  work: (tx: Tx, user: typeof users.$inferSelect) => Promise<Result>,
): Promise<Outcome<Result>> {
  const found = await findAssertion(app.db, party, { response, isOurs })
  if (!found || (of !== undefined && found.passkey.userId !== of)) return { counter: 'fine' }
  const { passkey, assertion } = found
  if (!assertion) return { counter: 'fine', user: passkey.userId }

  return app.db.transaction(async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users.id, passkey.userId)).for('share')
    const { accepted, counter } = await usePasskey(tx, app.now(), passkey.id, assertion)
    if (!user || !accepted) return { counter, user: passkey.userId }
    return { counter, user: user.id, result: await work(tx, user) }
  })
}
