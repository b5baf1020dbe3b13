import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import fp from 'fastify-plugin'
import { type Address, afterCommit, type Tx } from '../database/index.ts'
import { deliver, type JobData, type Posting } from './delivery.ts'
import { type Message, render } from './message.ts'
import type { Backlog } from './queues.ts'
import { type Importance, priorities, type QueueProfile } from './settings.ts'
import type { Transport } from './transport.ts'

export type { Message } from './message.ts'
export type { QueueProfile } from './settings.ts'
export { type MailServer, transportTo } from './transport.ts'

/**
 * Every mail by name, with the ids that its job contains. Never put tokens into a job: they are minted when the mail is
 * sent. Features extend this by declaration merging.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Mails {}

type Name = keyof Mails & string

type Definition<Ids> = {
  /** Runs when the mail is sent. Returns undefined if the mail is no longer needed. */
  compose(ids: Ids, posting: Posting): Promise<Message | undefined>
  /** Determines which mails are sent first. */
  importance?: Importance
  /**
   * Milliseconds. A mail that has waited longer than its link is valid is not sent: the person has given up by then.
   */
  lifetime?: number
  /** Its job contains personal data, of which nothing is kept: it is deleted once sent, given up or expired. */
  ephemeral?: true
}

declare module 'fastify' {
  interface FastifyInstance {
    mail: {
      define<N extends Name>(name: N, mail: Definition<Mails[N]>): void
      /** Queues a mail in the transaction: it is sent after the commit, and never after a rollback. */
      queue<N extends Name>(tx: Tx, name: N, ids: Mails[N], posting?: Posting): Promise<void>
      /** Deletes all mails that contain one of these addresses, whatever their state, in the transaction. */
      forget(tx: Tx, addresses: string[]): Promise<void>
      /** The state of the queue. */
      backlog(): Promise<Backlog>
      /** Starts sending mails in this process. */
      work(): Promise<void>
    }
  }
}

type Options = {
  /** The database of the queue. */
  address: Address
  /** Whether the queue is in the same database as the data, so that jobs can join a transaction. */
  beside: boolean
  profile?: QueueProfile
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
  async (app, { address, beside, profile = 'postgres', from, appName, origin, transport, connections = 1 }) => {
    const definitions = new Map<string, Definition<never>>()
    const queues = lazily(async () => {
      const { openQueues } = await import('./queues.ts') // slow to load, so not before it is needed
      return openQueues(address, { profile, log: app.log, listen: beside ? app.db.$client.listen : undefined })
    })

    const compose = async ({ mail, ...ids }: JobData, posting: Posting) => {
      const definition = definitions.get(mail)
      if (!definition) throw Object.assign(new Error(`no feature defines the mail ${mail}`), { code: 'UNKNOWN_MAIL' })
      return definition.compose(ids as never, posting) // queue() checked them for this name
    }

    // One mail per turn of the event loop: rendering a whole batch at once would delay requests.
    let turn: Promise<unknown> = Promise.resolve()
    const send = async ({ to, language, ...message }: Message, { id }: Posting, signal: AbortSignal) => {
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
      define(name, mail) {
        definitions.set(name, mail)
      },
      async queue(tx, name, ids, posting) {
        const definition = definitions.get(name)
        if (!definition) throw new Error(`no feature defines the mail ${name}`)
        const job = { mail: name, ...ids }
        const { importance = 'notice', ephemeral, lifetime = 0 } = definition
        const retention = ephemeral && { retentionSeconds: lifetime / 1000 }
        const options = { ...posting, ...retention, priority: priorities[importance] }
        if (beside) return (await queues.get()).add(job, { tx, ...options })
        // A separate database cannot join our transaction. A crash right here loses the mail, but a rollback never
        // sends one.
        afterCommit(tx, async () => {
          try {
            await (await queues.get()).add(job, options)
          } catch (err) {
            app.log.error({ err, mail: name }, 'mail not queued')
          }
        })
      },
      async forget(tx, addresses) {
        if (beside) return (await queues.get()).forget(addresses, tx)
        // If this fails, the mails stay until the queue's retention removes them.
        afterCommit(tx, async () => {
          try {
            await (await queues.get()).forget(addresses)
          } catch (err) {
            app.log.error({ err }, 'mails of a deleted user stay in the queue')
          }
        })
      },
      async backlog() {
        return (await queues.get()).backlog()
      },
      async work() {
        const { outcome, recipient } = transport
        const lifetimeOf = ({ mail }: JobData) => definitions.get(mail)?.lifetime
        const isEphemeral = ({ mail }: JobData) => definitions.get(mail)?.ephemeral === true
        const delivery = { log: app.log, lifetimeOf, isEphemeral, compose, send, outcome, recipient }
        const opened = await queues.get()
        await opened.work(Math.max(connections, leastAtOnce), (job) => deliver(job, { ...delivery, boss: opened.boss }))
        await opened.sweep(async (signal) => {
          for (const [name, { ephemeral, lifetime = 0 }] of definitions) {
            if (ephemeral) await opened.discard(name, lifetime)
          }
          await app.sweeper.sweep(signal)
        })
      },
    })

    app.addHook('onClose', async () => {
      const opened = await queues.opened()
      const finished = opened?.finish()
      await within(7, finished)
      await transport.close()
      await within(1, finished) // lets aborted deliveries be recorded as failures
      await opened?.close()
    })
  },
  { name: 'mail', dependencies: ['database', 'languages', 'sweeper'] },
)

const within = (seconds: number, work: Promise<void> | undefined) =>
  Promise.race([work, sleep(seconds * 1000, undefined, { ref: false })])

/** Opens once, and again after a failure. */
function lazily<T>(open: () => Promise<T>) {
  let opening: Promise<T> | undefined
  return {
    get() {
      opening ??= open().catch((error) => {
        opening = undefined
        throw error
      })
      return opening
    },
    opened: async () => opening?.catch(() => undefined),
  }
}
