import { and, eq } from 'drizzle-orm'
import { passkeys, users } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { spendChallenge } from './challenges.ts'
import { isCredentialId, type RelyingParty, verifyAssertion } from './relying-party.ts'

type Answer = {
  response: unknown
  isOurs: (challenge: string) => Date | undefined
  /** Only passkeys of this user, who was asked for one of a list. */
  userId?: number
}

/**
 * The passkey that a response names, and its assertion if it signed our challenge. Undefined if there is no such
 * passkey.
 */
export async function findAssertion(db: Database, party: RelyingParty, { response, isOurs, userId }: Answer) {
  const { id } = (response ?? {}) as { id?: unknown }
  if (!isCredentialId(id)) return undefined
  const [known] = await db
    .select({ passkey: passkeys, handle: users.passkeyHandle })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(and(eq(passkeys.credentialId, id), userId === undefined ? undefined : eq(passkeys.userId, userId)))
  if (!known) return undefined
  const key = { ...known.passkey, handle: known.handle ?? '', wasListed: userId !== undefined }
  return { passkey: known.passkey, assertion: await verifyAssertion(party, response, key, isOurs) }
}

export type Assertion = NonNullable<Awaited<ReturnType<typeof verifyAssertion>>>

type Use = { accepted: boolean; counter: 'fine' | 'behind' }

/** What the authenticator's counter means: one that went backwards, as a copy's would, is fine if the passkey syncs. */
export function judgeCounter(passkey: { counter: number; syncable: boolean }, { counter }: Assertion): Use {
  // Two zeros mean that the authenticator has no counter.
  const isBehind = (passkey.counter > 0 || counter > 0) && counter <= passkey.counter
  return { accepted: !isBehind || passkey.syncable, counter: isBehind ? 'behind' : 'fine' }
}

/** Spends the challenge and records the use. Not accepted if the passkey is gone, or if the challenge is spent. */
export async function usePasskey(tx: Tx, now: Date, id: number, assertion: Assertion): Promise<Use> {
  const [passkey] = await tx.select().from(passkeys).where(eq(passkeys.id, id)).for('update')
  if (!passkey) return { accepted: false, counter: 'fine' }
  const { accepted, counter } = judgeCounter(passkey, assertion)
  if (!accepted || !(await spendChallenge(tx, assertion.answered))) return { accepted: false, counter }

  const used = { counter: assertion.counter, synced: assertion.synced, lastUsedAt: now }
  await tx.update(passkeys).set(used).where(eq(passkeys.id, id))
  return { accepted, counter }
}
