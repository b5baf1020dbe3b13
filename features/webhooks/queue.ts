import { randomUUID } from 'node:crypto'
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type Webhook, webhookDeliveries, webhooks } from '../../drizzle/tables/webhooks.ts'

// Claims are leases by the clock of the database, which all processes share. When something is due is up to the clock
// of the process, as for all that expires.

export const shares = { webhook: 5, account: 10, process: 200 }

/** Three times what a try takes. A process that died is followed within two minutes. */
const leaseSeconds = 45
const lookedAt = 100 // webhooks in a statement, so that many that wait for their next try cost little

export type Claimed = {
  id: number
  webhookId: number
  accountId: number
  activityId: number | null
  type: string
  tries: number
  createdAt: string
  claim: string
}

/** After which webhook, in the order of accounts, the next claim begins: so it is the turn of one after the other. */
export type Turn = [accountId: number, webhookId: number]
export const firstTurn: Turn = [0, 0]

type Found = { claimed: Claimed[]; last: Turn | null }

/**
 * Takes what is due and leaves out who is at their share here, so that nobody waits behind a busy workspace. Also says
 * where the next claim begins, and whether it is through with all of them. With an account, looks at that alone.
 */
export async function claimDue(
  { db, now }: Pick<FastifyInstance, 'db' | 'now'>,
  turn: Turn,
  underWay: Iterable<Claimed>,
  accountId?: number,
) {
  const taken = [...underWay]
  const room = shares.process - taken.length
  const claim = randomUUID()
  const at = JSON.stringify(taken.map(({ webhookId, accountId }) => ({ webhook_id: webhookId, account_id: accountId })))
  const waiting = (after: { account: unknown; webhook: unknown }) => sql`
    select account_id, webhook_id from ${webhookDeliveries}
    where state = 'waiting' and (account_id, webhook_id) > (${after.account}, ${after.webhook})
      ${accountId === undefined ? sql`` : sql`and account_id = ${accountId}`}
    order by account_id, webhook_id limit 1`
  const { rows } = await db.execute<Found>(sql`
    with recursive busy as (
      (${waiting({ account: sql`${turn[0]}::bigint`, webhook: sql`${turn[1]}::bigint` })})
      union all
      select next.* from busy cross join lateral (
        ${waiting({ account: sql`busy.account_id`, webhook: sql`busy.webhook_id` })}) next
    ),
    looked as (select * from busy limit ${lookedAt}),
    taken as (select * from json_to_recordset(${at}::json) as taken(webhook_id bigint, account_id bigint)),
    open as (
      select * from looked
      where (select count(*) from taken where taken.webhook_id = looked.webhook_id) < ${shares.webhook}
        and (select count(*) from taken where taken.account_id = looked.account_id) < ${shares.account}
    ),
    due as (
      select next.id, next.due_at, open.*, row_number() over (partition by open.webhook_id order by next.due_at, next.id)
        + (select count(*) from taken where taken.webhook_id = open.webhook_id) as of_webhook
      from open cross join lateral (
        select id, due_at from ${webhookDeliveries} delivery
        where state = 'waiting' and delivery.account_id = open.account_id and delivery.webhook_id = open.webhook_id
          and due_at <= ${now().toISOString()}::timestamptz and (claimed_until is null or claimed_until <= now())
        order by due_at, id limit ${shares.webhook} for update skip locked
      ) next
    ),
    shared as (
      select due.*, row_number() over (partition by account_id order by due_at, id)
        + (select count(*) from taken where taken.account_id = due.account_id) as of_account
      from due where of_webhook <= ${shares.webhook}
    ),
    chosen as (
      select * from shared where of_account <= ${shares.account} order by of_account, account_id, id limit ${room}
    ),
    claimed as (
      update ${webhookDeliveries} delivery
      set claim = ${claim}, claimed_until = now() + make_interval(secs => ${leaseSeconds})
      from chosen where delivery.id = chosen.id
      returning delivery.*, chosen.of_account
    )
    select (
      select coalesce(json_agg(json_build_object('id', id, 'webhookId', webhook_id, 'accountId', account_id,
        'activityId', activity_id, 'type', type, 'tries', tries, 'createdAt', created_at, 'claim', claim)
        order by of_account, account_id, id), '[]')
      from claimed
    ) as claimed, (
      select json_build_array(account_id, webhook_id) from looked order by account_id desc, webhook_id desc limit 1
    ) as last`)
  const { claimed = [], last = null } = rows[0] ?? {}
  const served = claimed.at(-1)
  const next: Turn | null = served && claimed.length === room ? [served.accountId, served.webhookId] : last
  return { claimed, next }
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
