import { sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { type ConstructorOptions, fromDrizzle, type JobResult, PgBoss } from 'pg-boss'
import type { Address, Deadlines, Tx } from '../database/index.ts'
import { type Listen, openBossDatabase } from './boss.ts'
import type { Job, JobData } from './delivery.ts'
import {
  dead,
  deadSettings,
  type QueueProfile,
  sweeping,
  sweepingSchedule,
  sweepingSettings,
  waiting,
  waitingSettings,
} from './settings.ts'

/** Mails waiting and given up, and how overdue the oldest is, in seconds. */
export type Backlog = { waiting: number; dead: number; oldest: number }

/** Creates or updates the tables of pg-boss and our queues. */
export async function createQueues(address: Address, backend: QueueProfile, deadlines: Partial<Deadlines>) {
  const { boss, close } = await connectQueues(address, { backend, deadlines })
  try {
    await boss.createQueue(dead)
    await boss.updateQueue(dead, deadSettings)
    await boss.createQueue(waiting)
    await boss.updateQueue(waiting, waitingSettings)
    await boss.createQueue(sweeping, { policy: 'exclusive' })
    await boss.updateQueue(sweeping, sweepingSettings)
    await boss.schedule(sweeping, sweepingSchedule)
  } finally {
    await close()
  }
}

type Settings = Partial<ConstructorOptions> & Parameters<typeof openBossDatabase>[1] & { onError?(error: Error): void }

/** Starts pg-boss. By default, it neither listens nor supervises the queues. */
export async function connectQueues(
  address: Address,
  { listen, deadlines, onError = () => {}, ...settings }: Settings = {},
) {
  const db = openBossDatabase(address, { listen, deadlines })
  // A schema from a newer release is used as it is, so a rollback works. An older one was migrated at boot.
  const boss = new PgBoss({ supervise: false, schedule: false, migrate: true, ...settings, db })
  boss.on('error', onError) // the failed call throws as well
  const close = async () => {
    await boss.stop({ graceful: false })
    await db.end()
  }
  try {
    await boss.start()
    return { boss, close }
  } catch (error) {
    await close()
    throw error
  }
}

type Worker = { profile: QueueProfile; listen: Listen | undefined; log: FastifyBaseLogger }

/** The application's queues, for adding and working on jobs. */
export async function openQueues(address: Address, { profile, listen, log }: Worker) {
  const { boss, close } = await connectQueues(address, {
    backend: profile,
    listen,
    // the value is not always an Error
    onError: ({ code, message }: { code?: string; message: string }) =>
      log.error({ code, reason: message }, 'job queue failed'),
    useListenNotify: true,
    schedule: true,
    supervise: true,
    superviseIntervalSeconds: 10, // how soon a killed process is noticed
    monitorIntervalSeconds: 10,
    maintenanceIntervalSeconds: 3600,
  })
  boss.on('warning', ({ message }) => log.warn({ message }, 'job queue warns'))

  return {
    boss,
    async add(data: JobData, { tx, ...options }: { tx?: Tx; id?: string }) {
      await boss.send(waiting, data, tx ? { ...options, db: fromDrizzle(tx, sql) } : options)
    },
    /** Deletes all jobs, including dead ones, with one of these addresses as `email`. */
    async forget(addresses: string[], tx?: Tx) {
      const db = tx ? fromDrizzle(tx, sql) : boss.getDb()
      await db.executeSql(
        `delete from pgboss.job where data->>'email' = any(array(select jsonb_array_elements_text($1::text::jsonb)))`,
        [JSON.stringify(addresses)],
      )
    },
    /** Deletes all jobs of a mail, including dead ones, that are older than its lifetime, in milliseconds. */
    async discard(mail: string, lifetime: number) {
      await boss.getDb().executeSql(
        `delete from pgboss.job
        where data->>'mail' = $1 and created_on < now() - make_interval(secs => $2::float8 / 1000)`,
        [mail, lifetime],
      )
    },
    async backlog() {
      // phrased to match pg-boss's own index
      const { rows } = await boss.getDb().executeSql(
        `select
          count(*) filter (where name = $1)::int as waiting,
          count(*) filter (where name = $2)::int as dead,
          coalesce(extract(
            epoch from now() - min(start_after) filter (where name = $1 and start_after < now())
          ), 0)::float as oldest
        from pgboss.job where name in ($1, $2) and state < 'active'`,
        [waiting, dead],
      )
      const [backlog] = rows as [Backlog]
      return backlog
    },
    /** Two batches at a time, so a slow mail does not hold up all others. */
    async work(atOnce: number, deliver: (job: Job) => Promise<JobResult>) {
      const options = {
        batchSize: atOnce, // larger batches would compose too much at once and delay requests
        localConcurrency: 2,
        burstWhenBatchFull: true,
        notifyPollingIntervalSeconds: 15, // new jobs send a notification, so this is only for retries
        includeMetadata: true,
        perJobResults: true,
      } as const
      await boss.work(waiting, options, (jobs: Job[]) => Promise.all(jobs.map(deliver)))
    },
    /** Once an hour, in one of all processes. */
    async sweep(work: (signal: AbortSignal) => Promise<unknown>) {
      await boss.work(sweeping, { pollingIntervalSeconds: 60 }, async ([job]) => job && work(job.signal))
    },
    async finish() {
      await Promise.all([boss.offWork(waiting), boss.offWork(sweeping)])
    },
    close,
  }
}
