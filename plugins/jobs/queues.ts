import { type Db, PgBoss } from 'pg-boss'

export const jobs = 'jobs'
export const privateJobs = 'private_jobs'
/** Jobs that were given up, until an operator retries them. */
export const deadJobs = 'dead_jobs'

// Five tries over about an hour. A killed process stops its heartbeat, and another one takes over.
const worked = { retryLimit: 4, retryDelay: 160, retryBackoff: true, expireInSeconds: 900, heartbeatSeconds: 15 }

/** Starts pg-boss, with its tables and our queues. */
export async function startBoss(db: Db, onError: (error: Error) => void) {
  const boss = new PgBoss({ db, useListenNotify: true, superviseIntervalSeconds: 15, maintenanceIntervalSeconds: 600 })
  // It copies some into plain objects.
  boss.on('error', (error) => onError(error instanceof Error ? error : Object.assign(new Error(), error)))
  await boss.start()
  await boss.createQueue(deadJobs, { retentionSeconds: 30 * 86_400 })
  await boss.createQueue(jobs, { ...worked, deadLetter: deadJobs, deleteAfterSeconds: 43_200, notify: true })
  await boss.createQueue(privateJobs, { ...worked, retentionSeconds: 3600, deleteAfterSeconds: 60, notify: true })
  return boss
}
