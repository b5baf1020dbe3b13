import type { FastifyInstance } from 'fastify'
import type { Webhook } from '../../drizzle/tables/webhooks.ts'
import { broadcast, type Channel } from '../../plugins/live/broadcast.ts'
import { subscribeTo } from '../accounts/channel.ts'
import { webhookChannelName } from './paths.ts'

const pauseMs = 1_000

const webhookChannel: Channel<'account', { type: 'deliveries' }> = {
  name: webhookChannelName,
  params: ['account'],
  subscribe: subscribeTo('webhooks.manage'),
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
