import { randomUUID } from 'node:crypto'
import { and, eq, inArray, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type Webhook, type WebhookDelivery, webhookDeliveries, webhooks } from '../../drizzle/tables/webhooks.ts'

// Claims are leases by the clock of the database, which all processes share. When something is due is up to the clock
// of the process, as for all that expires.

export const shares = { webhook: 5, account: 10, process: 200 }

/** Three times what a try takes. A process that died is followed within two minutes. */
const leaseSeconds = 45
const lookedAt = 100 // webhooks in a statement, so that many that wait for their next try cost little

type App = Pick<FastifyInstance, 'db' | 'now'>

export type Due = Pick<WebhookDelivery, 'id' | 'webhookId' | 'accountId'>
export type Claimed = WebhookDelivery & { claim: string }

/** After which webhook, in the order of accounts, the next look begins: so it is the turn of one after the other. */
export type Turn = [accountId: number, webhookId: number]
export const firstTurn: Turn = [0, 0]

/** No process has it, or the one that did has died. */
export const isFree = sql`(claimed_until is null or claimed_until <= now())`

type Found = { due: Due[]; next: Turn | null }

/**
 * Some of what is due of each webhook, workspaces by turns, and where the next look begins unless it is through. With an
 * account, looks at that alone.
 */
export async function findDue({ db, now }: App, [accountAt, webhookAt]: Turn, accountId?: number) {
  const after = (account: unknown, webhook: unknown) => sql`
    select account_id, webhook_id from ${webhookDeliveries}
    where state = 'waiting' and (account_id, webhook_id) > (${account}, ${webhook})
      ${accountId === undefined ? sql`` : sql`and account_id = ${accountId}`}
    order by account_id, webhook_id limit 1`
  const { rows } = await db.execute<Found>(sql`
    with recursive waiting as (
      (${after(sql`${accountAt}::bigint`, sql`${webhookAt}::bigint`)})
      union all
      select next.* from waiting cross join lateral (
        ${after(sql`waiting.account_id`, sql`waiting.webhook_id`)}) next
    ),
    looked as (select * from waiting limit ${lookedAt}),
    due as (
      select next.id, looked.*, row_number() over (partition by account_id order by next.due_at, next.id) as turn
      from looked cross join lateral (
        select id, due_at from ${webhookDeliveries} delivery
        where state = 'waiting' and delivery.account_id = looked.account_id
          and delivery.webhook_id = looked.webhook_id
          and due_at <= ${now().toISOString()}::timestamptz and ${isFree}
        order by due_at, id limit ${shares.webhook}
      ) next
    )
    select (
      select coalesce(json_agg(json_build_object('id', id, 'webhookId', webhook_id, 'accountId', account_id)
        order by turn, account_id), '[]')
      from due
    ) as due, (
      select json_build_array(account_id, webhook_id) from looked order by account_id desc, webhook_id desc limit 1
    ) as next`)
  return rows[0] ?? { due: [], next: null }
}

/** Takes those that no other process has by now, or has tried meanwhile. */
export async function claimAll({ db, now }: App, chosen: Due[]): Promise<Claimed[]> {
  if (chosen.length === 0) return []
  const { id, state, dueAt } = webhookDeliveries
  const ids = chosen.map((each) => each.id)
  const free = db
    .select({ id })
    .from(webhookDeliveries)
    .where(and(inArray(id, ids), eq(state, 'waiting'), lte(dueAt, now()), isFree))
    .for('update', { skipLocked: true })
  const claim = randomUUID()
  const claimed = await db
    .update(webhookDeliveries)
    .set({ claim, claimedUntil: sql`now() + make_interval(secs => ${leaseSeconds})` })
    .where(inArray(id, free))
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
