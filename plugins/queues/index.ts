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
      add(tx: Tx, queue: string, data: { job?: string; mail?: string }, options?: SendOptions): Promise<void>
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
    let opening: Promise<Queues> | undefined
    const open = () => {
      opening ??= start().catch((error) => {
        opening = undefined // the next one tries again
        throw error
      })
      return opening
    }
    async function start() {
      const { openQueues } = await import('./queues.ts') // slow to load, so not before it is needed
      return openQueues(address, { profile, log: app.log, listen: beside ? app.db.$client.listen : undefined })
    }

    /**
     * A separate database cannot join our transaction. A crash right after the commit loses the work, but a rollback
     * never does it.
     */
    async function inTransaction(
      tx: Tx,
      work: (queues: Queues, tx?: Tx) => Promise<void>,
      reportLoss: (err: unknown) => void,
    ) {
      if (beside) return work(await open(), tx)
      afterCommit(tx, () => open().then(work).catch(reportLoss))
    }

    const opened = async () => opening?.catch(() => undefined)
    let finished: Promise<void> | undefined
    app.decorate('queues', {
      open,
      add: (tx, queue, data, options) =>
        inTransaction(
          tx,
          ({ add }, tx) => add(queue, data, options, tx),
          (err) => app.log.error({ err, mail: data.mail, job: data.job }, `${queue} not queued`),
        ),
      forget: (tx, addresses) =>
        inTransaction(
          tx,
          ({ forget }, tx) => forget(addresses, tx),
          (err) => app.log.error({ err }, "failed to delete a deleted user's jobs"),
        ),
      async finish(seconds) {
        finished ??= opened().then((queues) => queues?.finish())
        await Promise.race([finished, sleep(seconds * 1000, undefined, { ref: false })])
      },
    })

    // Those who work on jobs finished before: hooks run in the reverse order of registration.
    app.addHook('onClose', async () => (await opened())?.close())
  },
  { name: 'queues', dependencies: ['database'] },
)
