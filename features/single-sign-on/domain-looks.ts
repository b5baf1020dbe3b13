import { and, eq, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts } from '../../drizzle/schema.ts'
import { type SsoDomain, ssoDomains } from '../../drizzle/tables/single-sign-on.ts'
import type { Tx } from '../../plugins/database/index.ts'
import { recordAccountActivity } from '../accounts/channel.ts'
import { mailOwners } from '../accounts/owner-mails.ts'
import { lookUp } from './records.ts'

declare module '../../plugins/jobs/index.ts' {
  interface Jobs {
    look_at_domains: Record<string, never>
  }
}

const maxDaysAbsent = 3
const atLeastMs = 72_000_000 // 20 hours between two looks that count
const batchSize = 20 // domains that are looked at side by side

/** Looks for the record of each verified domain once a day: who gave a domain up must not hold it for ever. */
export const defineLooks = (app: FastifyInstance) =>
  app.jobs.define('look_at_domains', {
    cron: '47 3 * * *',
    async work(_, { signal }) {
      // Many whose servers never answer would use up the time of all.
      const newestFirst = sql`${ssoDomains.lookedAt} desc nulls first`
      const due = await app.db.select().from(ssoDomains).where(isDue(app)).orderBy(newestFirst)
      for (let at = 0; at < due.length && !signal.aborted; at += batchSize)
        await Promise.all(due.slice(at, at + batchSize).map((row) => lookAgain(app, row)))
    },
  })

/** Verified, and not looked at in the last 20 hours, by whichever process. */
const isDue = (app: FastifyInstance) => {
  const before = new Date(app.now().getTime() - atLeastMs)
  return and(isNotNull(ssoDomains.verifiedAt), or(isNull(ssoDomains.lookedAt), lte(ssoDomains.lookedAt, before)))
}

/** No answer neither counts nor begins anew. What fails for one domain stops no other. */
async function lookAgain(app: FastifyInstance, row: SsoDomain) {
  try {
    const { answer } = await lookUp(app, row)
    if (answer !== 'unanswered') await app.db.transaction((tx) => count(app, tx, row, answer === 'there'))
  } catch (err) {
    app.log.error({ err, account: row.accountId }, 'a domain could not be looked at')
  }
}

async function count(app: FastifyInstance, tx: Tx, { id, accountId, record }: SsoDomain, isThere: boolean) {
  await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for('no key update')
  const daysAbsent = isThere ? 0 : sql`${ssoDomains.daysAbsent} + 1`
  const [counted] = await tx
    .update(ssoDomains)
    .set({ lookedAt: app.now(), daysAbsent })
    .where(and(eq(ssoDomains.id, id), eq(ssoDomains.record, record), isDue(app)))
    .returning()
  if (!counted || counted.daysAbsent < maxDaysAbsent) return
  // What the workspace requires stays required: owners with two factors still get in, and can end it.
  await tx.update(ssoDomains).set({ verifiedAt: null, daysAbsent: 0 }).where(eq(ssoDomains.id, id))
  const { domain } = counted
  const activityId = await recordAccountActivity(tx, { accountId, userId: null }, 'domain_lost', { domain })
  await mailOwners(app, tx, 'domain_lost', { activityId }, { accountId })
}
