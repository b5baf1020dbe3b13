import { randomUUID } from 'node:crypto'
import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type Webhook, type WebhookDelivery, webhookDeliveries, webhooks } from '../../drizzle/tables/webhooks.ts'

// Claims are leases by the clock of the database, which all processes share. When something is due is up to the clock
// of the process, as for all that expires.

/** Three times what a try takes. A process that died is followed within two minutes. */
const leaseSeconds = 45

type App = Pick<FastifyInstance, 'db' | 'now'>

/** A webhook for which something may be due. */
export type Due = Pick<WebhookDelivery, 'accountId' | 'webhookId'>
export type Claimed = WebhookDelivery & { claim: string }

/** No process has it, or the one that did has died. */
export const isFree = sql`(claimed_until is null or claimed_until <= now())`

/** What is due of the webhooks in `asked`. */
const dueOfAsked = ({ now }: App) => sql`
  from ${webhookDeliveries} delivery
  where state = 'waiting' and delivery.account_id = asked.account_id and delivery.webhook_id = asked.webhook_id
    and due_at <= ${now().toISOString()}::timestamptz and ${isFree}`

/** All webhooks for which something is due. Goes from one to the next, however much waits for each. */
export async function findDue(app: App) {
  const after = (last: SQL) => sql`
    select account_id, webhook_id from ${webhookDeliveries}
    where state = 'waiting' and (account_id, webhook_id) > (${last}) order by account_id, webhook_id limit 1`
  const { rows } = await app.db.execute<Due>(sql`
    with recursive asked as (
      (${after(sql`0::bigint, 0::bigint`)})
      union all
      select next.* from asked cross join lateral (${after(sql`asked.account_id, asked.webhook_id`)}) next
    )
    select account_id::float8 as "accountId", webhook_id::float8 as "webhookId" from asked
    where exists (select ${dueOfAsked(app)})`)
  return rows
}

/** Takes what has been due longest of each of these webhooks, unless another process has it by now, or has tried it. */
export async function claimNext(app: App, chosen: Due[]): Promise<Claimed[]> {
  const idsOf = (name: keyof Due) => sql`${sql.param(chosen.map((each) => each[name]))}::bigint[]`
  const next = sql`
    select next.id from unnest(${idsOf('accountId')}, ${idsOf('webhookId')}) as asked (account_id, webhook_id)
    cross join lateral (
      select id ${dueOfAsked(app)} order by due_at, id limit 1 for update of delivery skip locked) next`
  const claim = randomUUID()
  const claimed = await app.db
    .update(webhookDeliveries)
    .set({ claim, claimedUntil: sql`now() + make_interval(secs => ${leaseSeconds})` })
    .where(sql`${webhookDeliveries.id} = any(array(${next}))`)
    .returning()
  return claimed.map((each) => ({ ...each, claim }))
}

export type Outcome = {
  isDelivered: boolean
  /** A number, or a word. Null if nothing was tried. */
  status: string | null
  /** When it is tried again, if it is. */
  nextAt?: Date | undefined
}

/** Keeps what became of a try, unless another process has it by now. The URL may have changed since it was read. */
export async function finish({ db, now }: FastifyInstance, delivery: Claimed, webhook: Webhook, outcome: Outcome) {
  const { isDelivered, status, nextAt } = outcome
  const isEnabled = sql`exists (
    select from ${webhooks} webhook where webhook.id = ${webhook.id} and webhook.disabled_at is null)`
  const over = isDelivered ? 'delivered' : 'failed'
  const tried = status === null ? {} : { status, tries: sql`${webhookDeliveries.tries} + 1`, lastTriedAt: now() }
  const { rowCount } = await db
    .update(webhookDeliveries)
    .set({
      ...tried,
      ...(nextAt && { dueAt: nextAt }),
      state: nextAt ? sql`case when ${isEnabled} then 'waiting' else 'failed' end` : over,
      claim: null,
      claimedUntil: null,
    })
    .where(and(eq(webhookDeliveries.id, delivery.id), eq(webhookDeliveries.claim, delivery.claim)))
  if (!rowCount || status === null) return
  // A statement of its own: what removes or disables a webhook locks it before its deliveries.
  const isOfUrl = and(eq(webhooks.id, webhook.id), eq(webhooks.url, webhook.url))
  await db
    .update(webhooks)
    .set({ failingSince: isDelivered ? null : now() })
    .where(and(isOfUrl, isDelivered ? isNotNull(webhooks.failingSince) : isNull(webhooks.failingSince)))
}
