import { sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import {
  type ConstructorOptions,
  fromDrizzle,
  type JobResult,
  type JobWithMetadata,
  PgBoss,
  type SendOptions,
  type WorkOptions,
} from 'pg-boss'
import type { Address, Deadlines, Tx } from '../database/index.ts'
import { type Listen, openBossDatabase } from './boss.ts'
import { crons, deadJobs, deadMails, jobs, mails, policies, type QueueProfile, queueSettings } from './settings.ts'

/** How many wait and were given up, and how overdue the oldest is. */
type Backlog = { waiting: number; dead: number; oldestSeconds: number }
export type Backlogs = { mails: Backlog; jobs: Backlog }

/** Creates or updates the tables of pg-boss and our queues. */
export async function createQueues(address: Address, backend: QueueProfile, deadlines: Partial<Deadlines>) {
  const { boss, close } = await connectQueues(address, { backend, deadlines })
  try {
    for (const [name, settings] of Object.entries(queueSettings)) {
      await boss.createQueue(name, { policy: policies[name] ?? 'standard' })
      await boss.updateQueue(name, settings)
    }
    await boss.unschedule('sweep') // a queue of its own until 0.2
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
  boss.on('warning', ({ message }) => log.warn({ message }, 'job queue warning'))

  return {
    boss,
    async add(queue: string, data: object, options: SendOptions = {}, tx?: Tx) {
      await boss.send(queue, data, tx ? { ...options, db: fromDrizzle(tx, sql) } : options)
    },
    /** Works on a queue. Jobs that are claimed together are settled each on its own. */
    async work<Data>(
      queue: string,
      settle: (job: JobWithMetadata<Data>) => Promise<JobResult>,
      options: WorkOptions = {},
    ) {
      const all = {
        ...options,
        localConcurrency: 2, // so a slow one does not hold up all others
        notifyPollingIntervalSeconds: 15, // new jobs send a notification, so this is only for retries
        includeMetadata: true,
        perJobResults: true,
      } as const
      await boss.work(queue, all, (claimed: JobWithMetadata<Data>[]) => Promise.all(claimed.map(settle)))
    },
    /** Deletes all jobs, including dead ones, with one of these addresses as `email`. */
    async forget(addresses: string[], tx?: Tx) {
      const db = tx ? fromDrizzle(tx, sql) : boss.getDb()
      await db.executeSql(
        `delete from pgboss.job where data->>'email' = any(array(select jsonb_array_elements_text($1::text::jsonb)))`,
        [JSON.stringify(addresses)],
      )
    },
    /** Deletes all jobs of a mail, including dead ones, that are older than its lifetime. */
    async discard(mail: string, lifetimeMs: number) {
      await boss.getDb().executeSql(
        `delete from pgboss.job
        where data->>'mail' = $1 and created_on < now() - make_interval(secs => $2::float8 / 1000)`,
        [mail, lifetimeMs],
      )
    },
    async backlog(): Promise<Backlogs> {
      // phrased to match pg-boss's own index
      const { rows } = await boss.getDb().executeSql(
        `select name, count(*)::int as count, coalesce(extract(
            epoch from now() - min(start_after) filter (where start_after < now())
          ), 0)::float as "oldestSeconds"
        from pgboss.job where name in ($1, $2, $3, $4) and state < 'active' group by name`,
        [mails, deadMails, jobs, deadJobs],
      )
      const found = new Map(
        (rows as { name: string; count: number; oldestSeconds: number }[]).map((row) => [row.name, row]),
      )
      const of = (waiting: string, dead: string): Backlog => ({
        waiting: found.get(waiting)?.count ?? 0,
        dead: found.get(dead)?.count ?? 0,
        oldestSeconds: found.get(waiting)?.oldestSeconds ?? 0,
      })
      return { mails: of(mails, deadMails), jobs: of(jobs, deadJobs) }
    },
    /** Resolves when nothing is worked on any more. */
    async finish() {
      await Promise.all([mails, jobs, crons].map((queue) => boss.offWork(queue)))
    },
    close,
  }
}
