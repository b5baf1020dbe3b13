import { lt, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../../../plugins/database/index.ts'

const hourMs = 3_600_000
const monthMs = 30 * 86_400_000

/** Of tokens of whatever kind. */
export type TokenTable = PgTable & { id: PgColumn; createdAt: PgColumn; expiresAt: PgColumn }

type Used = { id: number; lastUsedAt: Date | null }

/** Written at most once an hour, by one of several parallel requests, and not while something else holds the token. */
export async function markUsed(db: Database, table: TokenTable, { id, lastUsedAt }: Used, now: Date) {
  const hourAgo = new Date(now.getTime() - hourMs)
  if (lastUsedAt && lastUsedAt > hourAgo) return
  const stale = sql`select id from ${table} where id = ${id}
    and (last_used_at is null or last_used_at < ${hourAgo.toISOString()})`
  const used = sql`set last_used_at = ${now.toISOString()}`
  await db.execute(sql`update ${table} ${used} where id in (${stale} for update skip locked)`)
}

/** Expired ones stay listed for a month. */
export function sweepExpired({ sweeper, now }: FastifyInstance, table: TokenTable) {
  sweeper.add({ table, isExpired: () => lt(table.expiresAt, new Date(now().getTime() - monthMs)) })
}
