import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { assertValid } from '../../plugins/forms/index.ts'
import { ChallengeBody, Cursor, idParam, idPattern } from '../../plugins/forms/parameters.ts'
import { text } from '../../plugins/languages/index.ts'
import { paged, pageOf } from '../../plugins/lists.ts'
import { requireAllowed } from '../accounts/access.ts'
import {
  AccountParams,
  accountProps,
  accountRoute,
  actorOf,
  belowAccount,
  changeBudget,
  formAt,
  ItemParams,
  itemFormAt,
  memberOf,
} from '../accounts/index.ts'
import { reauthenticate, refuseDemoUser, requireVerified } from '../auth/reauthentication/index.ts'
import { flashSecret, readFlashedSecret } from '../flashed-secrets.ts'
import { checkedRoute, formRoute } from '../forms.ts'
import { checkWebhook, WebhookBody } from './form.ts'
import { webhookPaths } from './paths.ts'
import { presentDelivery, presentWebhook } from './props.ts'
import { presentTypes } from './types.ts'
import {
  addWebhook,
  changeWebhook,
  deliveriesOf,
  enableWebhook,
  findWebhook,
  findWebhooks,
  pageSize,
  queueTest,
  removeWebhook,
  requireDelivery,
  rollSecret,
  sendAgain,
} from './webhooks.ts'
import type { Wake } from './worker.ts'

declare module '../flashed-secrets.ts' {
  interface Secrets {
    webhookSecret?: string
  }
}

type Options = { allowPrivate: boolean; wake: Wake }

const PageQuery = Type.Object({ before: Cursor })
const DeliveryParams = Type.Object({ slug: Type.String(), id: Type.String(), deliveryId: Type.String() })

export const webhookRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { allowPrivate, wake }) => {
  belowAccount(app)
  const { db } = app

  /** One of another workspace is unknown, before anybody's role is asked. */
  app.addHook('preHandler', async (request) => {
    const { account, role } = memberOf(request)
    const { id, deliveryId } = request.params as { id?: string; deliveryId?: string }
    if (id) await findWebhook(db, account.id, Number(id))
    if (deliveryId) await requireDelivery(db, Number(id), Number(deliveryId))
    requireAllowed(role, 'webhooks.manage')
    if (request.method !== 'GET') refuseDemoUser(request)
  })

  const showSecret = (request: FastifyRequest, reply: FastifyReply) => {
    const { webhookSecret: secret } = readFlashedSecret(request)
    if (secret) reply.flashNow({ secret })
  }

  const url = `${accountRoute}/webhooks`
  const list = formAt(webhookPaths.webhooks)
  const schema = { params: AccountParams }
  app.get(url, { schema, config: { reauthenticates: true } }, async (request, reply) => {
    const { account } = memberOf(request)
    showSecret(request, reply)
    return reply.page('accounts/webhooks', {
      ...accountProps(request),
      webhooks: (await findWebhooks(db, account.id)).map(presentWebhook),
      types: presentTypes(request),
    })
  })

  app.post(url, checkedRoute(list, changeBudget, { ...schema, body: WebhookBody }), async (request, reply) => {
    if (!request.precognitive) requireVerified(request.signedIn.user)
    const { errors, ...checked } = checkWebhook(request.body, allowPrivate)
    const reauthentication = await reauthenticate(request, errors)
    if (request.precognitive) return reply.valid()
    const webhookSecret = await addWebhook(app, actorOf(request), { ...checked, reauthentication })
    return flashSecret(reply, { webhookSecret }).notice(text('Webhook added')).redirect(list(request))
  })

  const itemUrl = `${url}/${idPattern}`
  const page = itemFormAt(webhookPaths.webhook)
  const idOf = ({ params }: FastifyRequest) => Number((params as { id: string }).id)
  const shown = { schema: { params: ItemParams, querystring: PageQuery }, config: { reauthenticates: true } } as const
  app.get(itemUrl, shown, async (request, reply) => {
    const { account } = memberOf(request)
    const { before } = request.query
    const webhook = await findWebhook(db, account.id, idOf(request))
    showSecret(request, reply)
    return reply.page('accounts/webhook', {
      ...accountProps(request),
      webhook: presentWebhook(webhook),
      types: presentTypes(request),
      deliveries: paged('before', before, async () => {
        const { page, next } = pageOf(await deliveriesOf(db, webhook.id, before ? Number(before) : undefined), pageSize)
        return { page: page.map(presentDelivery), next }
      }),
    })
  })

  const changing = checkedRoute(page, changeBudget, { params: ItemParams, body: WebhookBody })
  app.patch(itemUrl, changing, async (request, reply) => {
    const { account } = memberOf(request)
    const webhook = await findWebhook(db, account.id, idOf(request))
    const { errors, ...checked } = checkWebhook({ ...webhook, ...definedIn(request.body) }, allowPrivate)
    const hasMoved = request.body.url !== undefined && checked.url !== webhook.url
    if (hasMoved && !request.precognitive) requireVerified(request.signedIn.user)
    const reauthentication = hasMoved ? await reauthenticate(request, errors) : undefined
    assertValid(errors)
    if (request.precognitive) return reply.valid()
    await changeWebhook(app, actorOf(request), webhook.id, { ...checked, reauthentication })
    return reply.notice(text('Webhook saved')).redirect(page(request))
  })

  const item = formRoute(page, changeBudget, { params: ItemParams })
  app.delete(itemUrl, { ...item, config: { ...item.config, form: list } }, async (request, reply) => {
    await removeWebhook(app, actorOf(request), idOf(request))
    return reply.notice(text('Webhook removed')).redirect(list(request))
  })

  const rolling = formRoute(page, changeBudget, { params: ItemParams, body: ChallengeBody })
  app.post(`${itemUrl}/secret`, rolling, async (request, reply) => {
    requireVerified(request.signedIn.user)
    const reauthentication = await reauthenticate(request)
    const webhookSecret = await rollSecret(app, actorOf(request), idOf(request), reauthentication)
    return flashSecret(reply, { webhookSecret }).notice(text('Secret rolled')).redirect(page(request))
  })

  app.post(`${itemUrl}/enable`, item, async (request, reply) => {
    await enableWebhook(app, actorOf(request), idOf(request))
    return reply.notice(text('Webhook enabled')).redirect(page(request))
  })

  app.post(`${itemUrl}/test`, item, async (request, reply) => {
    await queueTest(app, actorOf(request), idOf(request), wake)
    return reply.notice(text('A test was sent')).redirect(page(request))
  })

  const delivery = formRoute(page, changeBudget, { params: DeliveryParams })
  app.post(`${itemUrl}/deliveries/${idParam('deliveryId')}/retry`, delivery, async (request, reply) => {
    await sendAgain(app, actorOf(request), idOf(request), Number(request.params.deliveryId), wake)
    return reply.notice(text('Sent again')).redirect(page(request))
  })
}

/** A field that is missing stays, one that is empty is wrong. */
const definedIn = <Body extends object>(body: Body) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
