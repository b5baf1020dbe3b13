import { eq, inArray } from 'drizzle-orm'
import { rateLimits, type User, users } from '../../drizzle/schema.ts'
import { type Database, isStorable, type Tx } from '../../plugins/database/index.ts'
import { countHit, keyOf, TooManyRequests } from '../../plugins/security/limits/index.ts'
import { type Device, markOf } from './device.ts'

/**
 * Finds the user of a normalized address and counts a password guess: against the device if it knows this user,
 * otherwise against the address, whether it exists or not. The count precedes the password check, so concurrent guesses
 * cannot exceed the limit. Throws TooManyRequests.
 */
export async function findForGuess(db: Database, email: string, device: Device | undefined) {
  const [user] = isStorable(email) ? await db.select().from(users).where(eq(users.email, email)) : []
  const counted = (user && deviceKey(device, user)) ?? keyOf('guess', email)
  const { hits, left } = await countHit(db, 'guess', counted)
  if (hits === null) throw new TooManyRequests('guess', left)
  return { user, counted }
}

/** Undefined if the device does not know this user with the password of now. */
function deviceKey(device: Device | undefined, { id, passwordDigest }: User) {
  const known = device?.people.find(({ userId, mark }) => userId === id && mark === markOf(passwordDigest))
  return known && keyOf('guess', `${device?.id} ${id} ${known.mark}`)
}

/** Resets the counts of wrong guesses after a right sign-in: that of the address, and that of the device. */
export function resetAttempts(tx: Tx, user: User, device: Device | undefined) {
  const keys = [keyOf('guess', user.email), deviceKey(device, user)].filter((key) => key !== undefined)
  return tx.delete(rateLimits).where(inArray(rateLimits.key, keys))
}
