import { setTimeout as sleep } from 'node:timers/promises'
import fp from 'fastify-plugin'
import type { SendOptions } from 'pg-boss'
import { type Address, afterCommit, type Tx } from '../database/index.ts'
import type { openQueues } from './queues.ts'
import type { QueueProfile } from './settings.ts'

type Queues = Awaited<ReturnType<typeof openQueues>>

declare module 'fastify' {
  interface FastifyInstance {
    /** The queues of pg-boss, for `app.mail` and `app.jobs`, which features use. */
    queues: {
      open(): Promise<Queues>
      /** Adds a job in the transaction: it is worked on after the commit, and never after a rollback. */
      add(tx: Tx, queue: string, data: object, options?: SendOptions): Promise<void>
      /** Deletes all jobs that contain one of these addresses as `email`, whatever their state, in the transaction. */
      forget(tx: Tx, addresses: string[]): Promise<void>
      /** Takes no more jobs, and waits for those at work, but at most for so many seconds. */
      finish(seconds: number): Promise<void>
    }
  }
}

type Options = {
  address: Address
  /** Whether the queues are in the same database as the data, so that jobs can join a transaction. */
  beside: boolean
  profile?: QueueProfile
}

export default fp<Options>(
  async (app, { address, beside, profile = 'postgres' }) => {
    const queues = lazily(async () => {
      const { openQueues } = await import('./queues.ts') // slow to load, so not before it is needed
      return openQueues(address, { profile, log: app.log, listen: beside ? app.db.$client.listen : undefined })
    })
    let finished: Promise<void> | undefined

    app.decorate('queues', {
      open: queues.get,
      async add(tx, queue, data, options = {}) {
        if (beside) return (await queues.get()).add(queue, data, { tx, ...options })
        // A separate database cannot join our transaction. A crash right here loses the job, but a rollback never
        // adds one.
        afterCommit(tx, async () => {
          try {
            await (await queues.get()).add(queue, data, options)
          } catch (err) {
            const { mail, job } = data as { mail?: string; job?: string }
            app.log.error({ err, mail, job }, `${queue} not queued`)
          }
        })
      },
      async forget(tx, addresses) {
        if (beside) return (await queues.get()).forget(addresses, tx)
        // If this fails, the jobs stay until the queue's retention removes them.
        afterCommit(tx, async () => {
          try {
            await (await queues.get()).forget(addresses)
          } catch (err) {
            app.log.error({ err }, 'jobs of a deleted user stay in the queue')
          }
        })
      },
      async finish(seconds) {
        finished ??= queues.opened().then((opened) => opened?.finish())
        await Promise.race([finished, sleep(seconds * 1000, undefined, { ref: false })])
      },
    })

    // Those who work on jobs finished before: hooks run in the reverse order of registration.
    app.addHook('onClose', async () => (await queues.opened())?.close())
  },
  { name: 'queues', dependencies: ['database'] },
)

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
