import { and, inArray } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { memberships } from '../../drizzle/schema.ts'
import type { Webhook } from '../../drizzle/tables/webhooks.ts'
import { broadcast, type Channel } from '../../plugins/live/index.ts'
import { accountChannel } from '../accounts/channel.ts'
import { may } from '../accounts/rights.ts'
import { webhookChannelName } from './paths.ts'

const pauseMs = 1_000

type Message = { type: 'deliveries' }

/** Like that of the account, for managers alone. */
const webhookChannel: Channel<'account', Message> = {
  name: webhookChannelName,
  params: ['account'],
  async subscribe(db, subscribers, app) {
    const keys = await accountChannel.subscribe(db, subscribers, app)
    const found = await db
      .select()
      .from(memberships)
      .where(
        and(
          inArray(
            memberships.accountId,
            keys.flatMap((key) => (key === undefined ? [] : Number(key))),
          ),
          inArray(
            memberships.userId,
            subscribers.map(({ userId }) => userId),
          ),
        ),
      )
    const managers = new Set(
      found.filter(({ role }) => may(role, 'webhooks.manage')).map(({ userId, accountId }) => `${userId} ${accountId}`),
    )
    return keys.map((key, n) => (managers.has(`${subscribers[n]?.userId} ${key}`) ? key : undefined))
  },
}

export type Announce = (webhook: Pick<Webhook, 'accountId'>) => void

/** Tells the managers that deliveries changed, at most once a second for each workspace and process. */
export function defineChannel(app: FastifyInstance): Announce {
  app.live.channel(webhookChannel)
  const changed = new Set<number>()
  let timer: NodeJS.Timeout | undefined

  function tell() {
    timer = undefined
    const accountIds = [...changed]
    changed.clear()
    app.db
      .transaction(async (tx) => {
        for (const id of accountIds) await broadcast(tx, webhookChannel, id, { type: 'deliveries' })
      })
      .catch((err) => app.log.warn({ err }, 'nobody was told of deliveries'))
  }

  app.addHook('preClose', async () => clearTimeout(timer))
  return ({ accountId }) => {
    changed.add(accountId)
    timer ??= setTimeout(tell, pauseMs).unref()
  }
}
