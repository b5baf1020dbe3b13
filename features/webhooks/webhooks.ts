import { and, asc, desc, eq, lt, ne } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { users } from '../../drizzle/schema.ts'
import { type Webhook, webhookDeliveries, webhooks } from '../../drizzle/tables/webhooks.ts'
import type { Database, Tx } from '../../plugins/database/index.ts'
import { Refused } from '../../plugins/forms/index.ts'
import { NotFound } from '../../plugins/http/errors.ts'
import { text } from '../../plugins/languages/index.ts'
import { asReauthenticated, type UserActor } from '../accounts/access.ts'
import { recordAccountActivity } from '../accounts/channel.ts'
import { mailOwners } from '../accounts/owner-mails.ts'
import type { ReauthenticationProof } from '../auth/reauthentication/index.ts'
import { aboutWebhook } from './form.ts'
import type { WebhookMail } from './mails.ts'
import { createSecret, sealSecret } from './secrets.ts'
import { testType } from './types.ts'
import type { Wake } from './worker.ts'

const maxWebhooks = 10
const rolledMs = 86_400_000 // for which the former secret signs, too
const pageSize = 50

/** Oldest first, with the name of who added each. */
export async function findWebhooks(db: Database, accountId: number, id?: number) {
  const rows = await db
    .select({ webhook: webhooks, creator: users.name })
    .from(webhooks)
    .leftJoin(users, eq(users.id, webhooks.createdById))
    .where(isIn(accountId, id))
    .orderBy(asc(webhooks.id))
  return rows.map(({ webhook, creator }) => ({ ...webhook, creator }))
}

/** Throws NotFound, also for one of another account. */
export async function findWebhook(db: Database, accountId: number, id: number) {
  const [webhook] = await findWebhooks(db, accountId, id)
  if (!webhook) throw new NotFound()
  return webhook
}

const isIn = (accountId: number, id?: number) =>
  and(eq(webhooks.accountId, accountId), id === undefined ? undefined : eq(webhooks.id, id))

/** Newest first, and one more than a page has. */
export const deliveriesOf = (db: Database, webhookId: number, before = Number.MAX_SAFE_INTEGER) =>
  db
    .select()
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, webhookId), lt(webhookDeliveries.id, before)))
    .orderBy(desc(webhookDeliveries.id))
    .limit(pageSize + 1)
export { pageSize }

export async function requireDelivery(db: Database, webhookId: number, id: number) {
  const isOfWebhook = and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.id, id))
  if ((await db.$count(webhookDeliveries, isOfWebhook)) === 0) throw new NotFound()
}

type Proof = ReauthenticationProof | undefined

const changing = <Result>(
  app: FastifyInstance,
  actor: UserActor,
  id: number,
  proof: Proof,
  work: (tx: Tx, webhook: Webhook) => Promise<Result>,
) =>
  asReauthenticated(app, actor, 'webhooks.manage', proof, async (tx) => {
    const [webhook] = await tx.select().from(webhooks).where(isIn(actor.accountId, id)).for('no key update')
    if (!webhook) throw new NotFound()
    return work(tx, webhook)
  })

type ChangeType = 'added' | 'changed' | 'removed' | 'secret_rolled' | 'enabled'

async function recordChange(
  app: FastifyInstance,
  tx: Tx,
  actor: UserActor,
  type: `webhook_${ChangeType}`,
  { mail, ...webhook }: Pick<Webhook, 'id' | 'url'> & { mail?: WebhookMail },
) {
  const activityId = await recordAccountActivity(tx, actor, type, aboutWebhook(webhook))
  if (mail) await mailOwners(app, tx, mail, { activityId }, { accountId: actor.accountId })
}

type Wanted = { url: string; types: string[]; reauthentication?: Proof }

/** Returns its secret. Throws Refused for the eleventh, or Invalid if the proof is void by now. */
export const addWebhook = (app: FastifyInstance, actor: UserActor, { url, types, reauthentication }: Wanted) =>
  asReauthenticated(app, actor, 'webhooks.manage', reauthentication, async (tx) => {
    const { accountId, userId } = actor
    if ((await tx.$count(webhooks, eq(webhooks.accountId, accountId))) >= maxWebhooks)
      throw new Refused(text('This workspace has {max} webhooks already', { max: maxWebhooks }))
    const now = app.now()
    const by = { createdById: userId, createdAt: now, urlById: userId, urlAt: now }
    const [added] = await tx
      .insert(webhooks)
      .values({ accountId, url, types, secret: '', ...by })
      .returning()
    if (!added) throw new Error('the webhook was not added')
    const secret = createSecret()
    await tx
      .update(webhooks)
      .set({ secret: sealSecret(app, added, secret) }) // bound to its id
      .where(eq(webhooks.id, added.id))
    await recordChange(app, tx, actor, 'webhook_added', { ...added, mail: 'webhook_added' })
    return secret
  })

/** A new URL keeps the secret. Throws as addWebhook does. */
export const changeWebhook = (app: FastifyInstance, actor: UserActor, id: number, wanted: Wanted) =>
  changing(app, actor, id, wanted.reauthentication, async (tx, webhook) => {
    const { url, types, reauthentication } = wanted
    const hasMoved = url !== webhook.url
    if (hasMoved && !reauthentication) throw new Refused(text('Somebody else changed it meanwhile. Try again'))
    const moved = hasMoved && { url, urlById: actor.userId, urlAt: app.now(), failingSince: null }
    if (!hasMoved && String(types) === String(webhook.types)) return
    await tx
      .update(webhooks)
      .set({ types, ...moved })
      .where(eq(webhooks.id, id))
    await recordChange(app, tx, actor, 'webhook_changed', { id, url, ...(hasMoved && { mail: 'webhook_changed' }) })
  })

/** Nothing is sent any more, and what was sent is forgotten. */
export const removeWebhook = (app: FastifyInstance, actor: UserActor, id: number) =>
  changing(app, actor, id, undefined, async (tx, webhook) => {
    await tx.delete(webhooks).where(eq(webhooks.id, id))
    await tx.delete(webhookDeliveries).where(eq(webhookDeliveries.webhookId, id))
    await recordChange(app, tx, actor, 'webhook_removed', { ...webhook, mail: 'webhook_removed' })
  })

/** Returns the new secret. The one before signs for a day, too. */
export const rollSecret = (
  app: FastifyInstance,
  actor: UserActor,
  id: number,
  reauthentication: ReauthenticationProof,
) =>
  changing(app, actor, id, reauthentication, async (tx, webhook) => {
    const secret = createSecret()
    const previousSecretUntil = new Date(app.now().getTime() + rolledMs)
    const former = { previousSecret: webhook.secret, previousSecretUntil }
    await tx
      .update(webhooks)
      .set({ secret: sealSecret(app, webhook, secret), ...former })
      .where(eq(webhooks.id, id))
    await recordChange(app, tx, actor, 'webhook_secret_rolled', { ...webhook, mail: 'webhook_changed' })
    return secret
  })

export const enableWebhook = (app: FastifyInstance, actor: UserActor, id: number) =>
  changing(app, actor, id, undefined, async (tx, webhook) => {
    await tx.update(webhooks).set({ disabledAt: null, failingSince: null }).where(eq(webhooks.id, id))
    if (webhook.disabledAt) await recordChange(app, tx, actor, 'webhook_enabled', webhook)
  })

export const queueTest = (app: FastifyInstance, actor: UserActor, id: number, wake: Wake) =>
  changing(app, actor, id, undefined, async (tx, { disabledAt, accountId }) => {
    if (disabledAt) throw new Refused(text('Enable the webhook first'))
    const now = app.now()
    await tx.insert(webhookDeliveries).values({ webhookId: id, accountId, type: testType, createdAt: now, dueAt: now })
    tx.afterCommit(() => wake([{ accountId: actor.accountId, webhookId: id }]))
  })

/** Throws Refused for one that waits, or whose webhook is disabled. */
export const sendAgain = (app: FastifyInstance, actor: UserActor, id: number, deliveryId: number, wake: Wake) =>
  changing(app, actor, id, undefined, async (tx, { disabledAt }) => {
    const isOver = and(
      eq(webhookDeliveries.webhookId, id),
      eq(webhookDeliveries.id, deliveryId),
      ne(webhookDeliveries.state, 'waiting'),
    )
    const again = disabledAt
      ? []
      : await tx
          .update(webhookDeliveries)
          .set({ state: 'waiting', tries: 0, dueAt: app.now() })
          .where(isOver)
          .returning({ id: webhookDeliveries.id })
    if (again.length === 0) throw new Refused(text("That can't be sent again"))
    tx.afterCommit(() => wake([{ accountId: actor.accountId, webhookId: id }]))
  })
