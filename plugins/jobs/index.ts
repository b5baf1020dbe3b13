import { sql } from 'drizzle-orm'
import fp from 'fastify-plugin'
import { type Db, fromDrizzle, type PgBoss } from 'pg-boss'
import { type Address, openPool, type Tx } from '../database/index.ts'
import { type Backlog, backlogOf, startBoss } from './queues.ts'
import { type Definition, type Definitions, definitionOf, queueOf, startWorkers } from './worker.ts'

/** Every job with its data: ids, no secrets. An address is always called `email`, so the job goes with its owner. */
export interface Jobs {
  sweep: Record<string, never>
}
type Name = keyof Jobs & string

export { skipped } from './worker.ts'

declare module 'fastify' {
  interface FastifyInstance {
    jobs: {
      define<N extends Name>(name: N, job: Definition<Jobs[N]>): void
      /** Queues a job in the transaction: it runs after the commit, and never after a rollback. */
      queue<N extends Name>(tx: Tx, name: N, data: Jobs[N], options?: { id?: string; startAfter?: Date }): Promise<void>
      /** Deletes all jobs with one of these addresses as `email`, in the transaction. */
      forget(tx: Tx, addresses: string[]): Promise<void>
      /** Runs a scheduled job now. Throws for any other, which needs data. */
      run(name: string): Promise<unknown>
      startWorkers(): Promise<void>
      boss(): Promise<PgBoss>
      backlog(): Promise<Backlog>
    }
  }
}

type JobsOptions = {
  address: Address
  /**
   * Whether it is the database of `app.db`. Otherwise jobs are queued right after the commit, and a crash loses them.
   */
  joinsTransactions: boolean
}

export default fp<JobsOptions>(
  async (app, { address, joinsTransactions }) => {
    const definitions: Definitions = new Map()
    const closing = new AbortController()
    const ownPool = address === app.db.address ? undefined : openPool(address, 2)
    const pool = ownPool ?? app.db.pool
    let starting: Promise<PgBoss> | undefined

    const db: Db = { executeSql: (text, values) => pool.query(text, values) }
    if (joinsTransactions)
      db.listen = async (...subscription) => {
        await app.listener.listen(...subscription)
        return { async close() {} } // the listener closes all of them
      }

    function boss() {
      starting ??= startBoss(db, (err) => app.log.error({ err }, 'the job queue failed'))
      starting.catch(() => {
        starting = undefined // the next one tries again
      })
      return starting
    }

    /** In the transaction, or right after its commit if the queue is in another database. */
    async function within(tx: Tx, failure: string, work: (db: Db) => Promise<unknown>) {
      if (joinsTransactions) await work(fromDrizzle(tx, sql))
      else tx.afterCommit(() => work(db).catch((err) => app.log.error({ err }, failure)))
    }

    app.decorate('jobs', {
      boss,
      define(name, job) {
        definitions.set(name, job)
      },
      async queue(tx, job, data, options) {
        const queue = queueOf(definitionOf(definitions, job))
        const send = async (db: Db) => (await boss()).send(queue, { job, ...data }, { ...options, db })
        await within(tx, `the job ${job} was not queued`, send)
      },
      forget: (tx, addresses) =>
        within(tx, 'jobs of a deleted user stay', (db) =>
          db.executeSql(`delete from pgboss.job where data->>'email' = any($1::text[])`, [addresses]),
        ),
      backlog: () => backlogOf(db),
      async run(name) {
        const { cron, work } = definitionOf(definitions, name)
        if (!cron) throw new Error(`the job ${name} has no schedule`)
        return work({} as never, { id: name, signal: closing.signal, isLastTry: true })
      },
      async startWorkers() {
        await startWorkers({ boss: await boss(), definitions, log: app.log, closing: closing.signal })
      },
    })

    app.addHook('preClose', async () => closing.abort())
    app.addHook('onClose', async () => {
      await starting?.then((started) => started.stop({ timeout: 7_000 })).catch(() => {})
      await ownPool?.end()
    })
  },
  { name: 'jobs', dependencies: ['database'] },
)
