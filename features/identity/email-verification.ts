import { and, eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import { emit } from '../../plugins/domain-events.ts'
import { recording } from '../activity/index.ts'

type User = { id: number; emailRevision: number }

/** Returns false if the address was verified or changed since the user was read, such as by a concurrent request. */
export const verifyEmail = ({ db, now }: Pick<FastifyInstance, 'db' | 'now'>, { id, emailRevision }: User) =>
  db.transaction(async (tx) => {
    const unchanged = and(eq(users.id, id), eq(users.emailRevision, emailRevision), eq(users.verified, false))
    const verified = await tx.execute(sql`
    with verified as (
      update ${users} set verified = true, verified_at = ${now().toISOString()}, updated_at = now()
      where ${unchanged} returning id
    ),
    recorded as (
      ${recording('email_verified', { userId: sql`verified.id` }, sql`verified`)}
    )
    select from verified`)
    if (verified.length > 0) await emit(tx, 'user_verified', id)
    return verified.length > 0
  })
