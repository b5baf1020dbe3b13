import { lt, sql } from 'drizzle-orm'
import fp from 'fastify-plugin'
import { oneTimeValues } from '../../drizzle/schema.ts'
import type { Database, Tx } from '../database/index.ts'

// What works once without being stored before: signed challenges, starts of providers, and arrivals from there.

export type OneTime = typeof oneTimeValues.$inferInsert

/** Forgets them an hour after they expire, which is a margin for clocks that differ. */
export default fp(
  async (app) => {
    const hourAgo = sql`now() - interval '1 hour'`
    app.sweeper.add({ table: oneTimeValues, isExpired: () => lt(oneTimeValues.expiresAt, hourAgo) })
  },
  { name: 'once', dependencies: ['sweeper'] },
)

/** Returns false if it was consumed before. */
export const consumeOnce = async (db: Database | Tx, value: OneTime) =>
  (await db.insert(oneTimeValues).values(value).onConflictDoNothing()).rowCount === 1
