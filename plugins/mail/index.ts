import { setImmediate as nextTurn } from 'node:timers/promises'
import fp from 'fastify-plugin'
import type { Tx } from '../database/index.ts'
import { definitionOf } from '../queues/definitions.ts'
import { mails } from '../queues/settings.ts'
import { type Definition, type DeliveryKey, deliver, priorities } from './delivery.ts'
import { type Message, render } from './message.ts'
import type { Transport } from './transport.ts'

export type { Message } from './message.ts'
export { type MailServer, transportTo } from './transport.ts'

/**
 * Every mail by name, with the ids that its job contains. Never put tokens into a job: they are minted when the mail is
 * sent. Features extend this by declaration merging.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Mails {}

type Name = keyof Mails & string

declare module 'fastify' {
  interface FastifyInstance {
    mail: {
      define<N extends Name>(name: N, mail: Definition<Mails[N]>): void
      /** Queues a mail in the transaction: it is sent after the commit, and never after a rollback. */
      queue<N extends Name>(tx: Tx, name: N, ids: Mails[N], key?: DeliveryKey): Promise<void>
      /** Deletes all mails that contain one of these addresses, whatever their state, in the transaction. */
      forget(tx: Tx, addresses: string[]): Promise<void>
      /** Starts sending mails in this process. */
      work(): Promise<void>
    }
  }
}

type Options = {
  from: string
  appName: string
  origin: string
  transport: Transport
  /** Connections of the mail transport. */
  connections?: number
}

const leastAtOnce = 5 // some of them wait for a connection, so none is idle

/** Adds `app.mail`. Mails are pg-boss jobs, which a worker composes and sends. */
export default fp<Options>(
  async (app, { from, appName, origin, transport, connections = 1 }) => {
    const definitions = new Map<string, Definition<never>>()

    // One mail per turn of the event loop: rendering a whole batch at once would delay requests.
    let turn: Promise<unknown> = Promise.resolve()
    const send = async ({ to, language, ...message }: Message, { id }: DeliveryKey, signal: AbortSignal) => {
      turn = turn.then(() => nextTurn())
      await turn
      await transport.send({
        ...render(message, { appName, origin }, app.languageOf(language)),
        from,
        to,
        messageId: `<${id}@${new URL(origin).hostname}>`, // lets mail clients recognise a second copy after a crash
        signal,
      })
    }

    app.decorate('mail', {
      define: (name, mail) => void definitions.set(name, mail),
      async queue(tx, name, ids, key) {
        const { importance = 'notice' } = definitionOf(definitions, 'mail', name)
        await app.queues.add(tx, mails, { mail: name, ...ids }, { ...key, priority: priorities[importance] })
      },
      forget: app.queues.forget,
      async work() {
        const { boss, work } = await app.queues.open()
        const delivery = { boss, log: app.log, definitions, transport, send }
        await work<{ mail: string }>(mails, (job) => deliver(job, delivery), {
          batchSize: Math.max(connections, leastAtOnce), // larger ones would compose too much at once
          burstWhenBatchFull: true,
        })
      },
    })

    app.jobs.define('discard_mails', {
      cron: '17 * * * *',
      async work() {
        const { discard } = await app.queues.open()
        for (const [name, { ephemeral, lifetimeMs = 0 }] of definitions) if (ephemeral) await discard(name, lifetimeMs)
      },
    })

    app.addHook('onClose', async () => {
      await app.queues.finish(7)
      await transport.close()
      await app.queues.finish(1) // lets aborted deliveries be recorded as failures
    })
  },
  { name: 'mail', dependencies: ['jobs', 'languages'] },
)
