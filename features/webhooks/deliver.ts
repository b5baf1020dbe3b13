import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { accounts } from '../../drizzle/schema.ts'
import { type Webhook, webhookDeliveries, webhooks } from '../../drizzle/tables/webhooks.ts'
import { selectActivities } from '../activity/lists.ts'
import { presentActivity } from '../activity/props.ts'
import { type Answer, maxTries, nextTryAt, post } from './attempt.ts'
import { disable } from './endings.ts'
import type { Announce } from './live.ts'
import { type Claimed, finish } from './queue.ts'
import { renewSecrets, sign, signingSecrets } from './secrets.ts'
import { testType } from './types.ts'

const fiveDaysMs = 5 * 86_400_000

type Tools = { fetch: typeof globalThis.fetch; announce: Announce; count(outcome: 'delivered' | 'failed'): void }

/** One try, with the URL and the secrets of this moment. No transaction is open while it lasts. */
export async function deliver(app: FastifyInstance, tools: Tools, claimed: Claimed) {
  const news = await newsOf(app, claimed)
  const found = await findWebhook(app, claimed) // last, so that nothing is sent once its removal was answered
  if (!found) return forget(app, claimed)
  const { webhook, account } = found
  if (webhook.disabledAt || !news) await finish(app, claimed, webhook, { isDelivered: false, status: null })
  else await attempt(app, tools, { claimed, webhook, body: { ...news, data: { ...news.data, account } } })
  tools.announce(webhook)
}

const forget = ({ db }: FastifyInstance, { id }: Claimed) =>
  db.delete(webhookDeliveries).where(eq(webhookDeliveries.id, id))

async function findWebhook({ db }: FastifyInstance, { webhookId }: Claimed) {
  const [found] = await db
    .select({ webhook: webhooks, account: { slug: accounts.slug, name: accounts.name } })
    .from(webhooks)
    .innerJoin(accounts, eq(accounts.id, webhooks.accountId))
    .where(eq(webhooks.id, webhookId))
  return found
}

/** What managers see of the activity now, without its client. Undefined if it is gone. */
async function newsOf({ db }: FastifyInstance, { activityId, accountId, type, createdAt }: Claimed) {
  const timestamp = createdAt.toISOString()
  if (activityId === null) return { type, timestamp, data: {} }
  const end = { createdAt, id: activityId + 1 }
  const [activity] = await selectActivities(db, { accountId }, { size: 0 }, end)
  if (activity?.id !== activityId) return undefined
  const { id, actor_name, details, created_at } = presentActivity(activity)
  return { type, timestamp, data: { id, type, actor_name, details, created_at } }
}

type Attempt = { claimed: Claimed; webhook: Webhook; body: object }

async function attempt(app: FastifyInstance, { fetch, count }: Tools, { claimed, webhook, body }: Attempt) {
  const start = performance.now()
  const { status, isDelivered, retryAfterMs } = await send(app, fetch, { claimed, webhook, body })
  const nextAt = isDelivered ? undefined : nextTryAt(app.now(), claimed, retryAfterMs)
  await finish(app, claimed, webhook, { isDelivered, status, nextAt })
  const { id: delivery, type } = claimed
  const ms = Math.round(performance.now() - start)
  app.log.info({ webhook: webhook.id, delivery, type, status, ms }, 'a webhook was tried')
  count(isDelivered ? 'delivered' : 'failed')
  const hasFailed = !isDelivered && claimed.tries + 1 >= maxTries
  const since = webhook.failingSince?.getTime() ?? Number.POSITIVE_INFINITY
  if (status === '410' || (hasFailed && since < app.now().getTime() - fiveDaysMs))
    await app.db.transaction((tx) => disable(app, tx, webhook))
}

const unreadable: Answer = { status: 'secret_unreadable', isDelivered: false, retryAfterMs: 0 }

async function send(app: FastifyInstance, fetch: Tools['fetch'], { claimed, webhook, body }: Attempt) {
  const secrets = signingSecrets(app, webhook)
  if (!secrets) return unreadable
  const bytes = Buffer.from(JSON.stringify(body))
  const id = claimed.activityId === null ? `msg_${testType}_${claimed.id}` : `msg_${claimed.activityId}`
  const timestamp = Math.floor(app.now().getTime() / 1_000)
  const headers = {
    'content-type': 'application/json',
    'user-agent': `Webhooks (${app.site.origin})`,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign(secrets, id, timestamp, bytes),
  }
  const answer = await post(fetch, { url: webhook.url, headers, body: bytes })
  await renewSecrets(app, webhook)
  return answer
}
