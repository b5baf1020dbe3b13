import { hash } from 'node:crypto'
import { eq, type SQL, sql } from 'drizzle-orm'
import { rateLimits } from '../../../drizzle/schema.ts'
import type { Database, Tx } from '../../database/index.ts'
import { type LimitName, limits } from './table.ts'

export const tryLater = 'Try again later.'

/** More than a limit allows. In a browser it becomes an alert on the page that it came from. */
export class TooManyRequests extends Error {
  readonly statusCode = 429
  readonly publicMessage = tryLater
  readonly limit: LimitName
  /** Seconds until it is allowed again. */
  readonly retryAfter: number

  constructor(limit: LimitName, retryAfter: number) {
    super('more than a limit allows')
    this.limit = limit
    this.retryAfter = retryAfter
  }
}

type Who = string | number

/** Where somebody is counted. As a digest: what a person typed may have any length, and does not stay behind. */
export const keyOf = (limit: LimitName, who: Who) => `${limit}:${hash('sha256', String(who), 'base64url')}`

/**
 * An insert that counts one and returns it, or returns nothing when all are used up. It has to come before what it allows: the row's lock decides
 * between many at the same moment. Time is the database's, which all processes share.
 */
export function insertHit(
  limit: LimitName,
  { key, from, most = limits[limit].most }: { key: SQL; from?: SQL; most?: number | undefined },
) {
  const isOver = sql`counted.expires_at <= now()`
  return sql`
    insert into ${rateLimits} as counted (key, hits, expires_at)
    select ${key}, 1, now() + make_interval(secs => ${limits[limit].within}::int) ${from && sql`from ${from}`}
    on conflict (key) do update set
      hits = case when ${isOver} then 1 else counted.hits + 1 end,
      expires_at = case when ${isOver} then excluded.expires_at else counted.expires_at end
    where ${isOver} or counted.hits < ${most}::int
    returning hits`
}

/** Seconds until a count starts anew, rounded up. */
export const secondsLeft = (key: SQL) =>
  sql<
    number | null
  >`(select ceil(extract(epoch from expires_at - now()))::int from ${rateLimits} where ${rateLimits.key} = ${key})`

/** One more of what is limited: how many there are now, and null when there are too many. */
async function count(db: Database | Tx, limit: LimitName, who: Who, most?: number) {
  const key = sql`${keyOf(limit, who)}::text`
  const [row] = await db.execute<{ hits: number | null; left: number | null }>(
    sql`with hit as (${insertHit(limit, { key, most })}) select (select hits from hit) as hits, ${secondsLeft(key)} as left`,
  )
  if (!row) throw new Error('the hit was not counted')
  // a count that is new, or over, has all of its time
  const left = row.left && row.left > 0 ? row.left : limits[limit].within
  return { hits: row.hits, left }
}

/** Takes one of what somebody may do; false when none is left. In a transaction it is given back by a rollback. */
export async function tryTake(db: Database | Tx, limit: LimitName, who: Who) {
  return (await count(db, limit, who)).hits !== null
}

/** Takes one of what somebody may do. Throws TooManyRequests when none is left. `most` is for whom fewer are allowed. */
export async function take(db: Database | Tx, limit: LimitName, who: Who, most?: number) {
  const { hits, left } = await count(db, limit, who, most)
  if (hits === null) throw new TooManyRequests(limit, left)
}

/**
 * Verifies what somebody guesses, a password or a code: counted before, and given back unless it turns out wrong, which is undefined. Throws
 * TooManyRequests.
 */
export async function guessing<Result>(
  db: Database,
  limit: LimitName,
  who: Who,
  verify: () => Promise<Result | undefined>,
) {
  await take(db, limit, who)
  const giveItBack = () => giveBack(db, keyOf(limit, who))
  const result = await verify().catch(async (error) => {
    await giveItBack()
    throw error
  })
  if (result !== undefined) await giveItBack()
  return result
}

/** For the counter of routes, which wants a number in any case. */
export async function countHit(db: Database, limit: LimitName, who: Who) {
  const { hits, left } = await count(db, limit, who)
  return { current: hits ?? limits[limit].most + 1, ttl: left * 1000 }
}

/** What was taken turned out to be allowed without limit. */
export const giveBack = (db: Database | Tx, key: string) =>
  db
    .update(rateLimits)
    .set({ hits: sql`greatest(${rateLimits.hits} - 1, 0)` })
    .where(eq(rateLimits.key, key))

/** Starts a count anew. */
export const refill = (db: Database | Tx, limit: LimitName, who: Who) =>
  db.delete(rateLimits).where(eq(rateLimits.key, keyOf(limit, who)))
