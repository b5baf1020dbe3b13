import { type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, isWithoutFactors, memberships, sessions, users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'

declare module '../../plugins/jobs/index.ts' {
  interface Jobs {
    backfill: Record<string, never>
  }
}

const batchSize = 1_000 // rows, so that a statement locks few of them, and briefly

/** Fills columns of rows from before these columns, which a migration of a large table would lock for too long. */
export function defineBackfill(app: FastifyInstance) {
  const { db, jobs } = app
  jobs.define('backfill', {
    cron: '*/5 * * * *',
    async work(_, { signal }) {
      await inBatches(db, signal, fillSearch)
      await inBatches(db, signal, fillPersonalUser)
      await inBatches(db, signal, fillSessionFactors)
    },
  })
}

/** Goes on after the last key of each batch, and so ends even if rows stay as they are. */
async function inBatches(db: Database, signal: AbortSignal, fill: (after: string) => SQL) {
  let after: string | null = ''
  while (after !== null && !signal.aborted) {
    const filled: SQL = sql`with filled as (${fill(after)}) select max(key)::text as last from filled`
    const { rows } = await db.execute<{ last: string | null }>(filled)
    after = rows[0]?.last ?? null
  }
}

const idAfter = (after: string) => sql`id > ${Number(after)}`

/** Any update will do, since a trigger writes the column. */
const fillSearch = (after: string) => sql`
  update ${users} set search = '' where id in (
    select id from ${users} where search is null and ${idAfter(after)} order by id limit ${batchSize}
    for no key update skip locked) returning id as key`

/** An owner who has the account's name, else the oldest one. */
const fillPersonalUser = (after: string) => sql`
  update ${accounts} set personal_user_id = (
    select owner.user_id from ${memberships} owner join ${users} on users.id = owner.user_id
    where owner.account_id = accounts.id and owner.role = 'owner'
    order by users.name = accounts.name desc, owner.id limit 1
  ) where id in (
    select id from ${accounts} where personal and personal_user_id is null and ${idAfter(after)}
    order by id limit ${batchSize} for no key update skip locked) returning id as key`

/** A trigger writes the columns. */
const fillSessionFactors = (after: string) => sql`
  update ${sessions} set method = method where token in (
    select token from ${sessions} where ${isWithoutFactors} and token > ${after} order by token limit ${batchSize}
    for no key update skip locked) returning token as key`
