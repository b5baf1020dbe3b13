import { type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts, memberships, users } from '../../drizzle/schema.ts'
import type { Database } from '../../plugins/database/index.ts'

declare module '../../plugins/jobs/index.ts' {
  interface Jobs {
    backfill: Record<string, never>
  }
}

const batchSize = 1_000 // rows, so that a statement locks few of them

/** Fills columns of rows from before these columns, which a migration of a large table would lock for too long. */
export const defineBackfill = ({ db, jobs }: FastifyInstance) =>
  jobs.define('backfill', {
    cron: '37 * * * *',
    async work(_, { signal }) {
      await inBatches(db, signal, fillSearch)
      await inBatches(db, signal, fillPersonalUser)
    },
  })

async function inBatches(db: Database, signal: AbortSignal, fill: SQL) {
  let filled = batchSize
  while (filled === batchSize && !signal.aborted) {
    const { rowCount } = await db.execute(fill)
    filled = rowCount ?? 0
  }
}

/** Any update will do, since a trigger writes the column. */
const fillSearch = sql`
  update ${users} set search = '' where id in (
    select id from ${users} where search is null limit ${batchSize} for no key update skip locked)`

/** An owner who has the account's name, else the oldest one. */
const fillPersonalUser = sql`
  update ${accounts} set personal_user_id = (
    select owner.user_id from ${memberships} owner join ${users} on users.id = owner.user_id
    where owner.account_id = accounts.id and owner.role = 'owner'
    order by users.name = accounts.name desc, owner.id limit 1
  ) where id in (
    select id from ${accounts} where personal and personal_user_id is null limit ${batchSize}
    for no key update skip locked)`
