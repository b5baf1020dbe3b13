import { type Db, PgBoss } from 'pg-boss'

export const jobs = 'jobs'
export const privateJobs = 'private_jobs'
/** Jobs that were given up, until an operator retries them. */
export const deadJobs = 'dead_jobs'

export const queues = [jobs, privateJobs, deadJobs]

const daySeconds = 86_400

const worked = {
  // pg-boss waits 9 to 18 seconds before the first retry, and each time twice as long: 38 to 77 minutes for all eight.
  retryLimit: 8,
  retryDelay: 9,
  retryBackoff: true,
  expireInSeconds: 900,
  heartbeatSeconds: 15, // a killed process stops it, and another one takes over
  notify: true,
}

/** Dead letters first, because others refer to them. */
const queueOptions = {
  [deadJobs]: { retentionSeconds: 30 * daySeconds },
  [jobs]: { ...worked, deadLetter: deadJobs, deleteAfterSeconds: daySeconds / 2 },
  [privateJobs]: { ...worked, retentionSeconds: 3600, deleteAfterSeconds: 60 },
}

// The jobs of a deleted user are found by it. Every start looks for it, because the table belongs to pg-boss, whose
// next version may make a new one. Of processes that start together, one makes it and the others wait.
const emailIndex = `do $$ begin
  if to_regclass('pgboss.job_email') is null then
    lock table pgboss.job in share row exclusive mode;
    create index if not exists job_email on pgboss.job ((data->>'email')) where data->>'email' is not null;
  end if;
end $$`

/** Starts pg-boss, with its tables and our queues. */
export async function startBoss(db: Db, onError: (error: Error) => void) {
  const boss = new PgBoss({ db, useListenNotify: true, superviseIntervalSeconds: 15, maintenanceIntervalSeconds: 600 })
  // It copies some into plain objects.
  boss.on('error', (error) => onError(error instanceof Error ? error : Object.assign(new Error(), error)))
  await boss.start()
  for (const [name, options] of Object.entries(queueOptions)) {
    await boss.createQueue(name, options)
    await boss.updateQueue(name, options) // a queue that is there keeps what another version gave it
  }
  await db.executeSql(emailIndex).catch(onError) // without it, deletions are slow
  return boss
}

export type Backlog = { waiting: number; dead: number; oldestSeconds: number }

/** Its conditions are those of pg-boss's index, which has no finished jobs. */
export async function backlogOf(db: Db): Promise<Backlog> {
  const { rows } = await db.executeSql(
    `select count(*) filter (where not is_dead)::int as waiting, count(*) filter (where is_dead)::int as dead,
      coalesce(extract(epoch from now() - min(start_after) filter (where not is_dead and start_after < now())), 0)
        ::float as "oldestSeconds"
    from (
      select start_after, name = $1 as is_dead from pgboss.job
      where name = any($2::text[]) and state < 'active' and not blocked
    ) unfinished`,
    [deadJobs, queues],
  )
  return rows[0]
}
