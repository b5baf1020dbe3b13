import { sql } from 'drizzle-orm'
import fp from 'fastify-plugin'
import { type Db, fromDrizzle, type JobResult, type JobWithMetadata, type PgBoss } from 'pg-boss'
import { type Address, openPool, type Tx } from './database/index.ts'
import { instrument } from './instrumentation.ts'

/** Every job with its data: ids, no secrets. An address is always called `email`, so the job goes with its owner. */
export interface Jobs {
  sweep: Record<string, never>
}
type Name = keyof Jobs & string

export type Run = {
  id: string
  /** Aborted when the process shuts down, or when a try has taken too long. */
  signal: AbortSignal
  isLastTry: boolean
}

type Definition<Data> = {
  /** May run twice, if a process dies at its end. If it throws, it is tried again (see `worked`). */
  work(data: Data, run: Run): Promise<unknown>
  /** When it runs by itself, in UTC, once in all processes. */
  cron?: string
  /** Its data is personal: it is deleted as soon as it is done, and given up after an hour without a trace. */
  isPrivate?: true
}

declare module 'fastify' {
  interface FastifyInstance {
    jobs: {
      define<N extends Name>(name: N, job: Definition<Jobs[N]>): void
      /** Queues a job in the transaction: it runs after the commit, and never after a rollback. */
      queue<N extends Name>(tx: Tx, name: N, data: Jobs[N], options?: { id?: string; startAfter?: Date }): Promise<void>
      /** Deletes all jobs with one of these addresses as `email`, in the transaction. */
      forget(tx: Tx, addresses: string[]): Promise<void>
      run(name: string): Promise<unknown>
      work(): Promise<void>
      boss(): Promise<PgBoss>
      backlog(): Promise<{ waiting: number; dead: number; oldestSeconds: number }>
    }
  }
}

export const jobs = 'jobs'
export const privateJobs = 'private_jobs'
/** Jobs that were given up, until an operator retries them. */
export const deadJobs = 'dead_jobs'

// Five tries over about an hour. A killed process stops its heartbeat, and another one takes over.
const worked = { retryLimit: 4, retryDelay: 160, retryBackoff: true, expireInSeconds: 900, heartbeatSeconds: 15 }

const workerOptions = {
  includeMetadata: true,
  perJobResults: true,
  batchSize: 5,
  burstWhenBatchFull: true,
  localConcurrency: 2, // so that a slow job does not hold up all others
  notifyPollingIntervalSeconds: 15, // new jobs send a notification, so this is for retries
} as const

/** Starts pg-boss, with its tables and our queues. */
export async function startBoss(db: Db, onError: (error: Error) => void) {
  const { PgBoss } = await import('pg-boss') // slow to load, so not before it is needed
  const boss = new PgBoss({ db, useListenNotify: true, superviseIntervalSeconds: 15, maintenanceIntervalSeconds: 600 })
  // It copies some into plain objects.
  boss.on('error', (error) => onError(error instanceof Error ? error : Object.assign(new Error(), error)))
  await boss.start()
  await boss.createQueue(deadJobs, { retentionSeconds: 30 * 86_400 })
  await boss.createQueue(jobs, { ...worked, deadLetter: deadJobs, deleteAfterSeconds: 43_200, notify: true })
  await boss.createQueue(privateJobs, { ...worked, retentionSeconds: 3600, deleteAfterSeconds: 60, notify: true })
  return boss
}

type Options = {
  address: Address
  /** Whether it is the database of `app.db`. Otherwise jobs are queued right after the commit, and a crash loses them. */
  joinsTransactions: boolean
}
type Job = JobWithMetadata<{ job?: string; mail?: string }> // `mail` in the queue of the version before

export default fp<Options>(
  async (app, { address, joinsTransactions }) => {
    const definitions = new Map<string, Definition<never>>()
    const closing = new AbortController()
    const ownPool = address === app.db.address ? undefined : openPool(address, 2)
    const pool = ownPool ?? app.db.pool
    let starting: Promise<PgBoss> | undefined

    const db: Db = { executeSql: (text, values) => pool.query(text, values) }
    if (joinsTransactions)
      db.listen = async (...subscription) => {
        await app.listener.listen(...subscription)
        return { async close() {} } // with the listener
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

    function definitionOf(name: string) {
      const definition = definitions.get(name)
      // Another version may define it, so it is tried again.
      if (!definition) throw Object.assign(new Error(`no feature defines the job ${name}`), { code: 'UNKNOWN_JOB' })
      return definition
    }

    async function perform({ id, name: queue, data, ...claimed }: Job): Promise<JobResult> {
      const { mail = '', job = mail, ...ids } = data
      const isLastTry = claimed.retryCount >= claimed.retryLimit
      const signal = AbortSignal.any([claimed.signal, closing.signal])
      const about = { job, id, try: claimed.retryCount + 1 }
      let result: JobResult = { id, status: 'completed' }
      try {
        await definitionOf(job).work(ids as never, { id: claimed.sourceRootId ?? id, signal, isLastTry })
        app.log.info(about, 'job done')
        instrument('job', { outcome: 'done' })
      } catch (err) {
        app.log[isLastTry ? 'error' : 'warn']({ ...about, err }, isLastTry ? 'job given up' : 'job failed')
        instrument('job', { outcome: isLastTry ? 'given_up' : 'failed' })
        // The queue keeps it, and a message may quote personal data.
        const { name, code = name } = err as { name?: string; code?: string }
        result = { id, status: 'failed', output: { code } }
      }
      if (queue === privateJobs && (isLastTry || result.status === 'completed')) await deletePrivate(id)
      return result
    }

    /** Queues delete such a job soon anyway. An error here would fail the whole batch, and send its mails again. */
    async function deletePrivate(id: string) {
      try {
        await (await boss()).deleteJob(privateJobs, id)
      } catch (err) {
        app.log.error({ err, id }, 'a private job stays for a minute')
      }
    }

    app.decorate('jobs', {
      boss,
      define: (name, job) => void definitions.set(name, job),
      async queue(tx, job, data, given) {
        const queue = definitionOf(job).isPrivate ? privateJobs : jobs
        const send = async (db: Db) => (await boss()).send(queue, { job, ...data }, { ...given, db })
        await within(tx, `the job ${job} was not queued`, send)
      },
      forget: (tx, addresses) =>
        within(tx, 'jobs of a deleted user stay', (db) =>
          db.executeSql(`delete from pgboss.job where data->>'email' = any($1::text[])`, [addresses]),
        ),
      async backlog() {
        const { rows } = await pool.query(
          `select count(*) filter (where name <> $1)::int as waiting, count(*) filter (where name = $1)::int as dead,
            coalesce(extract(epoch from now() - min(start_after) filter (where name <> $1 and start_after < now())), 0)
              ::float as "oldestSeconds"
          from pgboss.job where name in ($1, $2, $3) and state < 'active'`,
          [deadJobs, jobs, privateJobs],
        )
        return rows[0]
      },
      run: (name) => definitionOf(name).work({} as never, { id: name, signal: closing.signal, isLastTry: true }),
      async work() {
        const started = await boss()
        await started.createQueue('mails') // of the version before, until the next one
        for (const queue of [jobs, privateJobs, 'mails'])
          await started.work(queue, workerOptions, (claimed: Job[]) => Promise.all(claimed.map(perform)))
        for (const [job, { cron }] of definitions) if (cron) await started.schedule(jobs, cron, { job }, { key: job })
        for (const { key } of await started.getSchedules(jobs))
          if (!definitions.get(key)?.cron) await started.unschedule(jobs, key) // of another version
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
