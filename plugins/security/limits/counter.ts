import { hash } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { rateLimits } from '../../../drizzle/schema.ts'
import { type Database, isLate, type Tx } from '../../database/index.ts'
import { text } from '../../languages/index.ts'
import { type LimitName, limitOf } from './table.ts'

export const tryLater = text('Try again later.')

export class TooManyRequests extends Error {
  readonly statusCode = 429
  readonly publicMessage = tryLater.text
  readonly limit: LimitName
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

/** `hits` is null beyond the limit. Count before acting: the row lock then decides between concurrent requests. */
export async function countHit(db: Database | Tx, limit: LimitName, key: string) {
  const { max, windowSeconds } = limitOf(limit)
  const isExpired = sql`counted.expires_at <= now()`
  const { rows } = await db.execute<{ hits: number | null; left: number | null }>(sql`
    with hit as (
      insert into ${rateLimits} as counted (key, hits, expires_at)
      values (${key}, 1, now() + make_interval(secs => ${windowSeconds}::int))
      on conflict (key) do update set
        hits = case when ${isExpired} then 1 else counted.hits + 1 end,
        expires_at = case when ${isExpired} then excluded.expires_at else counted.expires_at end
      where ${isExpired} or counted.hits < ${max}::int
      returning hits
    )
    select (select hits from hit) as hits, (
      select ceil(extract(epoch from expires_at - now()))::int from ${rateLimits} where key = ${key}
    ) as left`)
  const [{ hits, left } = {}] = rows
  if (hits === undefined) throw new Error('the hit was not counted')
  // A new or expired count starts a full window.
  return { hits, left: left && left > 0 ? left : windowSeconds }
}

export async function take(db: Database | Tx, limit: LimitName, who: Who) {
  const { hits, left } = await countHit(db, limit, keyOf(limit, who))
  if (hits === null) throw new TooManyRequests(limit, left)
}

/** Counts a guess of the user first, and gives it back unless `verify` returns undefined. Throws TooManyRequests. */
export async function guessing<Result>(db: Database, userId: number, verify: () => Promise<Result | undefined>) {
  await take(db, 'challenge', userId)
  const uncountGuess = () => uncount(db, keyOf('challenge', userId))
  const result = await verify().catch(async (error) => {
    if (!isLate(error)) await uncountGuess() // a database that was too late once is asked nothing more
    throw error
  })
  if (result !== undefined) await db.tryOrReport(uncountGuess) // what was verified may have a new token to send
  return result
}

type MailLimit = Extract<LimitName, `${string}_mail`>

/** `own` is the key of a budget in place of the mailbox's, which strangers may have used up. */
type MailBudget = { kind?: string; own?: string | undefined }

/** Returns false if the mailbox has got all mails that a day allows. A rollback gives it back. */
export async function tryTakeMail(tx: Tx, limit: MailLimit, address: string, { kind = '', own }: MailBudget = {}) {
  return (await countHit(tx, limit, own ?? keyOf(limit, kind + mailboxOf(address)))).hits !== null
}

/** `ana+shop@example.com` reaches `ana@example.com`. Gmail ignores dots, and has two domains. */
function mailboxOf(address: string) {
  const [, name = '', domain = ''] = address.match(/^(.[^+@]*)[^@]*@(.*)$/s) ?? []
  return isGmail.test(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`
}

const isGmail = /^(gmail|googlemail)\.com$/

/** Gives one hit back after the attempt turned out to be legitimate. */
export const uncount = (db: Database | Tx, key: string) =>
  db
    .update(rateLimits)
    .set({ hits: sql`greatest(${rateLimits.hits} - 1, 0)` })
    .where(eq(rateLimits.key, key))

export const refill = (db: Database | Tx, limit: LimitName, who: Who) =>
  db.delete(rateLimits).where(eq(rateLimits.key, keyOf(limit, who)))
