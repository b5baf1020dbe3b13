import { inArray, sql } from 'drizzle-orm'
import { rateLimits, users } from '../../drizzle/schema.ts'
import { type Database, isStorable, type Tx } from '../../plugins/database/index.ts'
import { type Device, sqlMarkOf } from '../../plugins/security/device.ts'
import { insertHit, secondsLeft } from '../../plugins/security/limits/counter.ts'
import { keyOf, TooManyRequests } from '../../plugins/security/limits/index.ts'

/**
 * Finds the user of a normalized address and counts a password guess: against the device if it knows this user,
 * otherwise against the address, whether it exists or not. The count precedes the password check, so concurrent guesses
 * cannot exceed the limit, and it happens in the statement that finds the user. Throws TooManyRequests.
 */
export function guessFinder(db: Database) {
  const statement = prepareGuess(db)
  return async (email: string, device: Device | undefined) => {
    const address = keyOf('guess', email)
    const wanted = isStorable(email) ? email : '' // such an address cannot be in the database
    const [found] = await statement.execute({ address, devices: JSON.stringify(keysOf(device)), wanted })
    if (!found || found.hits === null) throw new TooManyRequests('guess', found?.left ?? 1)
    return { user: found.user ?? undefined, guess: { counted: found.counted, address } }
  }
}

export type FindForGuess = ReturnType<typeof guessFinder>
export type Guess = Awaited<ReturnType<FindForGuess>>['guess']

const keysOf = (device: Device | undefined) =>
  (device?.people ?? []).map(({ userId, mark }) => ({
    userId,
    mark,
    key: keyOf('guess', `${device?.id} ${userId} ${mark}`),
  }))

// Prepared, because building this statement anew takes a tenth of the main thread's time for a sign-in.
function prepareGuess(db: Database) {
  const [address, devices, wanted] = ['address', 'devices', 'wanted'].map((name) => sql`${sql.placeholder(name)}`)
  const place = db.$with('place', { counted: sql<string>`counted`.as('counted') }).as(sql`
    select coalesce((
      select device.key
      from json_to_recordset(${devices}::json) as device("userId" bigint, mark text, key text)
      join ${users} u on u.id = device."userId" and ${sqlMarkOf(sql`u.password_digest`)} = device.mark
      where u.email = ${wanted}
    ), ${address}::text) as counted`)
  const hit = db
    .$with('hit', { hits: sql<number>`hits`.as('hits') })
    .as(insertHit('guess', { key: sql`place.counted`, from: sql`place` }))
  return db
    .with(place, hit)
    .select({ user: users, counted: place.counted, hits: hit.hits, left: secondsLeft(sql`place.counted`) })
    .from(place)
    .leftJoin(hit, sql`true`)
    .leftJoin(users, sql`${users.email} = ${wanted}`)
    .prepare('find_for_guess')
}

/** Resets the counts of wrong guesses after a sign-in by other means: that of the address, and those of the device. */
export function forgiveUser(tx: Tx, user: { id: number; email: string }, device: Device | undefined) {
  const own = keysOf(device).filter(({ userId }) => userId === user.id)
  return tx
    .delete(rateLimits)
    .where(inArray(rateLimits.key, [keyOf('guess', user.email), ...own.map(({ key }) => key)]))
}
