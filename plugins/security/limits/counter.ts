import { hash } from 'node:crypto'
import { eq, type SQL, sql } from 'drizzle-orm'
import { rateLimits } from '../../../drizzle/schema.ts'
import type { Database, Tx } from '../../database/index.ts'
import { type LimitName, limits } from './table.ts'

export const tryLater = 'Try again later.'

/** A limit has been exceeded. Browsers are redirected back and see an alert. */
export class TooManyRequests extends Error {
  readonly statusCode = 429
  readonly publicMessage = tryLater
  readonly limit: LimitName
  /** Seconds until the limit resets. */
  readonly retryAfter: number

  constructor(limit: LimitName, retryAfter: number) {
    super('more than a limit allows')
    this.limit = limit
    this.retryAfter = retryAfter
  }
}

type Who = string | number

/** The row's key. Hashed, since what people type can have any length and should not be kept. */
export const keyOf = (limit: LimitName, who: Who) => `${limit}:${hash('sha256', String(who), 'base64url')}`

/**
 * An insert that counts one hit and returns the new count, or no row if none are left. Count before acting: the row
 * lock then decides between concurrent requests. Uses the database's clock, which all processes share.
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

/** Seconds until the limit resets, rounded up. */
export const secondsLeft = (key: SQL) =>
  sql<
    number | null
  >`(select ceil(extract(epoch from expires_at - now()))::int from ${rateLimits} where ${rateLimits.key} = ${key})`

/** Counts one hit. `hits` is null if the limit is exceeded. */
async function count(db: Database | Tx, limit: LimitName, who: Who, most?: number) {
  const key = sql`${keyOf(limit, who)}::text`
  const [row] = await db.execute<{ hits: number | null; left: number | null }>(
    sql`
      with hit as (${insertHit(limit, { key, most })})
      select (select hits from hit) as hits, ${secondsLeft(key)} as left`,
  )
  if (!row) throw new Error('the hit was not counted')
  // a new or expired count starts a full window
  const left = row.left && row.left > 0 ? row.left : limits[limit].within
  return { hits: row.hits, left }
}

/** Takes one of the budget and returns false if none is left. In a transaction, a rollback gives it back. */
export async function tryTake(db: Database | Tx, limit: LimitName, who: Who) {
  return (await count(db, limit, who)).hits !== null
}

/** Takes one of the budget. Throws TooManyRequests if none is left. `most` lowers the limit for this call. */
export async function take(db: Database | Tx, limit: LimitName, who: Who, most?: number) {
  const { hits, left } = await count(db, limit, who, most)
  if (hits === null) throw new TooManyRequests(limit, left)
}

/**
 * Verifies a guess, such as a password or a code. It is counted first and given back unless `verify` returns undefined,
 * which means wrong. Throws TooManyRequests.
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

/** For @fastify/rate-limit, which needs a number even when the limit is exceeded. */
export async function countHit(db: Database, limit: LimitName, who: Who) {
  const { hits, left } = await count(db, limit, who)
  return { current: hits ?? limits[limit].most + 1, ttl: left * 1000 }
}

/** Gives one hit back after the attempt turned out to be legitimate. */
export const giveBack = (db: Database | Tx, key: string) =>
  db
    .update(rateLimits)
    .set({ hits: sql`greatest(${rateLimits.hits} - 1, 0)` })
    .where(eq(rateLimits.key, key))

/** Resets the count. */
export const refill = (db: Database | Tx, limit: LimitName, who: Who) =>
  db.delete(rateLimits).where(eq(rateLimits.key, keyOf(limit, who)))
