import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { passkeys, users } from '../../drizzle/schema.ts'
import { startSession, type Visitor } from '../auth/sessions.ts'
import { spendChallenge } from './challenges.ts'
import { type RelyingParty, verifyAssertion } from './relying-party.ts'

type App = Pick<FastifyInstance, 'db' | 'now'>
type Answer = { response: unknown; isOurs: (challenge: string) => Date | undefined; visitor: Visitor }

type Outcome = { counter: 'fine' | 'behind'; user?: number; started?: Awaited<ReturnType<typeof startSession>> }

/**
 * Starts a session if the passkey signed our challenge. `counter` is `behind` if the authenticator's counter went
 * backwards, as that of a copy would: accepted for passkeys that sync by design, rejected for all others.
 */
export async function signInWithPasskey(
  app: App,
  party: RelyingParty,
  { response, isOurs, visitor }: Answer,
): Promise<Outcome> {
  const credentialId = credentialIn(response)
  const [known] = credentialId
    ? await app.db
        .select({ passkey: passkeys, handle: users.passkeyHandle })
        .from(passkeys)
        .innerJoin(users, eq(users.id, passkeys.userId))
        .where(eq(passkeys.credentialId, credentialId))
    : []
  if (!known) return { counter: 'fine' }
  const key = { ...known.passkey, handle: known.handle ?? '' }
  const assertion = await verifyAssertion(party, response, key, isOurs)
  if (!assertion) return { counter: 'fine', user: key.userId }

  return app.db.transaction(async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users.id, key.userId)).for('share')
    const [passkey] = await tx.select().from(passkeys).where(eq(passkeys.id, key.id)).for('update')
    const counter = passkey && isBehind(passkey.counter, assertion.counter) ? 'behind' : 'fine'
    const allowed = counter === 'fine' || passkey?.syncable
    if (!user || !passkey || !allowed) return { counter, user: key.userId }
    if (!(await spendChallenge(tx, assertion.answered))) return { counter, user: key.userId }

    const used = { counter: assertion.counter, synced: assertion.synced, lastUsedAt: app.now() }
    await tx.update(passkeys).set(used).where(eq(passkeys.id, passkey.id))
    return { counter, user: user.id, started: await startSession(tx, app.now(), user, visitor) }
  })
}

/** Two zeros mean that the authenticator has no counter. */
const isBehind = (before: number, now: number) => (before > 0 || now > 0) && now <= before

function credentialIn(response: unknown) {
  const { id } = (response ?? {}) as { id?: unknown }
  return typeof id === 'string' && /^[\w-]{1,1400}$/.test(id) ? id : undefined
}
