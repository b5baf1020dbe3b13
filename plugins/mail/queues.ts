import { sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { fromDrizzle, type JobResult, PgBoss } from 'pg-boss'
import type { Tx } from '../database/index.ts'
import type { Job, JobData } from './delivery.ts'
import { dead, deadSettings, waiting, waitingSettings } from './settings.ts'

/** Creates or changes the tables of pg-boss and our queues. */
export async function createQueues(url: string) {
  const boss = new PgBoss({ connectionString: url, max: 1, schedule: false, supervise: false })
  boss.on('error', () => {}) // the call that it broke throws as well
  try {
    await boss.start()
    await boss.createQueue(dead)
    await boss.updateQueue(dead, deadSettings)
    await boss.createQueue(waiting)
    await boss.updateQueue(waiting, waitingSettings)
  } finally {
    await boss.stop({ graceful: false })
  }
}

/** Pg-boss on a small pool of its own, because it sends several statements at once, which postgres.js refuses. A worker also listens and supervises. */
export async function connectQueues(
  url: string,
  { worker, onError }: { worker: boolean; onError(error: Error): void },
) {
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'accounts queue',
    max: 2,
    migrate: false,
    schedule: false,
    useListenNotify: worker,
    supervise: worker,
    superviseIntervalSeconds: 10, // how soon a killed process is noticed
    monitorIntervalSeconds: 10,
    maintenanceIntervalSeconds: 3600,
  })
  boss.on('error', onError)
  try {
    return await boss.start()
  } catch (error) {
    await boss.stop({ graceful: false })
    throw error
  }
}

/** The queues of an application: jobs go in, and are worked on. */
export async function openQueues(url: string, log: FastifyBaseLogger) {
  // what comes is not always an Error
  const onError = ({ code, message }: { code?: string; message: string }) =>
    log.error({ code, reason: message }, 'job queue failed')
  const boss = await connectQueues(url, { worker: true, onError })
  boss.on('warning', ({ message }) => log.warn({ message }, 'job queue warns'))

  return {
    boss,
    async add(data: JobData, { tx, ...options }: { tx?: Tx; id?: string }) {
      await boss.send(waiting, data, tx ? { ...options, db: fromDrizzle(tx, sql) } : options)
    },
    /** Deletes all jobs, dead ones too, that hold one of these texts. */
    async forget(texts: string[], tx?: Tx) {
      const db = tx ? fromDrizzle(tx, sql) : boss.getDb()
      await db.executeSql(
        `delete from pgboss.job where exists (
          select from jsonb_each_text(data) held where held.value in (select jsonb_array_elements_text($1::text::jsonb)))`,
        [JSON.stringify(texts)],
      )
    },
    /** One at a time would be too slow, and two batches keep a slow mail from holding up all others. */
    async work(deliver: (job: Job) => Promise<JobResult>) {
      const options = {
        batchSize: 5, // as many as go out at once; more would be composed in one go, and hold up visitors
        localConcurrency: 2,
        burstWhenBatchFull: true,
        notifyPollingIntervalSeconds: 15, // a new job announces itself; this is for tries that come due
        includeMetadata: true,
        perJobResults: true,
      } as const
      await boss.work(waiting, options, (jobs: Job[]) => Promise.all(jobs.map(deliver)))
    },
    finish: () => boss.offWork(waiting),
    close: () => boss.stop({ graceful: false }),
  }
}
