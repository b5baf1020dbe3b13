import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import fp from 'fastify-plugin'
import { type Address, afterCommit, type Tx } from '../database/index.ts'
import { deliver, type JobData, type Posting } from './delivery.ts'
import { type Message, render } from './message.ts'
import type { Backlog } from './queues.ts'
import type { Transport } from './transport.ts'

export type { Message } from './message.ts'
export { type MailServer, transportTo } from './transport.ts'

/** Every mail by name, with the ids that its job holds; never a token, which is made when the mail is sent. Features add to it by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by declaration merging
export interface Mails {}

type Name = keyof Mails & string

type Definition<Ids> = {
  /** Runs when the mail is sent. Undefined when there is nobody left to write to. */
  compose(ids: Ids, posting: Posting): Promise<Message | undefined>
}

declare module 'fastify' {
  interface FastifyInstance {
    mail: {
      define<N extends Name>(name: N, mail: Definition<Mails[N]>): void
      /** Queues a mail with the transaction: it is sent once that has committed, and never when it was rolled back. */
      queue<N extends Name>(tx: Tx, name: N, ids: Mails[N], posting?: Posting): Promise<void>
      /** Deletes all mails that name one of these addresses, in whatever state, with the transaction. */
      forget(tx: Tx, addresses: string[]): Promise<void>
      /** What is in the queue. */
      backlog(): Promise<Backlog>
      /** Starts to send what is queued, in this process. */
      work(): Promise<void>
    }
  }
}

type Options = {
  /** Where the jobs live. */
  address: Address
  /** Beside the data, so that a job is queued in the transaction of whoever queues it. */
  beside: boolean
  from: string
  appName: string
  origin: string
  transport: Transport
}

/** app.mail: mails are jobs of pg-boss, which a worker composes and sends. */
export default fp<Options>(
  async (app, { address, beside, from, appName, origin, transport }) => {
    const definitions = new Map<string, Definition<never>>()
    const queues = lazily(async () => {
      const { openQueues } = await import('./queues.ts') // slow to load, so not before there is something to queue or to send
      return openQueues(address, { log: app.log, listen: beside ? app.db.$client.listen : undefined })
    })

    const compose = async ({ mail, ...ids }: JobData, posting: Posting) => {
      const definition = definitions.get(mail)
      if (!definition) throw Object.assign(new Error(`no feature defines the mail ${mail}`), { code: 'UNKNOWN_MAIL' })
      return definition.compose(ids as never, posting) // what queue() took for this name
    }

    // One mail in each turn of the event loop: a batch that is rendered in one go would hold up visitors.
    let turn: Promise<unknown> = Promise.resolve()
    const send = async ({ to, ...message }: Message, { id }: Posting, signal: AbortSignal) => {
      turn = turn.then(() => nextTurn())
      await turn
      await transport.send({
        ...render(message, { appName, origin }),
        from,
        to,
        messageId: `<${id}@${new URL(origin).hostname}>`, // so that whoever gets a second copy after a crash can recognise it
        signal,
      })
    }

    app.decorate('mail', {
      define(name, mail) {
        definitions.set(name, mail)
      },
      async queue(tx, name, ids, posting) {
        if (!definitions.has(name)) throw new Error(`no feature defines the mail ${name}`)
        const job = { mail: name, ...ids }
        if (beside) return (await queues.get()).add(job, { tx, ...posting })
        // Another database knows nothing of our transaction: a crash right here loses the mail, but a rollback sends none.
        afterCommit(tx, async () => {
          try {
            await (await queues.get()).add(job, { ...posting })
          } catch (err) {
            app.log.error({ err, mail: name }, 'mail not queued')
          }
        })
      },
      async forget(tx, addresses) {
        if (beside) return (await queues.get()).forget(addresses, tx)
        // If this fails, they stay until the queue itself forgets them.
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
        const delivery = { log: app.log, compose, send, outcome: transport.outcome, recipient: transport.recipient }
        const opened = await queues.get()
        await opened.work((job) => deliver(job, { ...delivery, boss: opened.boss }))
        await opened.sweep((signal) => app.sweeper.sweep(signal))
      },
    })

    app.addHook('onClose', async () => {
      const opened = await queues.opened()
      const finished = opened?.finish()
      await within(7, finished)
      await transport.close()
      await within(1, finished) // what was broken off is noted as a failure
      await opened?.close()
    })
  },
  { name: 'mail', dependencies: ['database', 'sweeper'] },
)

const within = (seconds: number, work: Promise<void> | undefined) =>
  Promise.race([work, sleep(seconds * 1000, undefined, { ref: false })])

/** Opens once, and again after it has failed. */
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
