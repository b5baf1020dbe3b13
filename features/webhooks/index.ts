import './rights.ts'
import './activities.ts'
import type { FastifyPluginAsync } from 'fastify'
import { guardedFetch } from '../../plugins/http/guarded-fetch.ts'
import type { OptionConfig } from '../../plugins/settings.ts'
import { deliver } from './deliver.ts'
import { tellOwners, webhookEnding } from './endings.ts'
import { defineChannel } from './live.ts'
import { defineMails } from './mails.ts'
import { createMetrics } from './metrics.ts'
import { failWaiting, recordDeliveries, sweepDeliveries } from './outbox.ts'
import { webhookRoutes } from './routes.ts'
import { createWorker } from './worker.ts'

type Options = { settings: OptionConfig['webhooks'] }

/** Sends what happens in a workspace to where its managers want it. */
export const webhooks: FastifyPluginAsync<Options> = async (app, { settings }) => {
  // Also while they are off, or what a thief added would send again when they are on.
  app.endings.add(webhookEnding(app))
  tellOwners(app)
  sweepDeliveries(app)
  defineMails(app, settings !== undefined)
  if (!settings) {
    app.addHook('onReady', () => failWaiting(app))
    return
  }
  const { allowPrivate } = settings
  const fetch = guardedFetch({ allowPrivate })
  const tools = { fetch, announce: defineChannel(app), count: await createMetrics(app) }
  const worker = createWorker(app, (claimed) => deliver(app, tools, claimed))
  app.registeredOptions.add('webhooks')
  recordDeliveries(app, worker.wake)
  app.register(webhookRoutes, { allowPrivate, wake: worker.wake })
  // Where requests are answered, as the jobs.
  app.addHook('onListen', async () => worker.start())
  app.addHook('onClose', () => worker.stop())
}
