/** What the queue's database is, as pg-boss names it. */
export type QueueProfile = 'postgres' | 'citus' | 'yugabytedb'

export const mails = 'mail'
export const deadMails = 'mail_dead'
export const jobs = 'job'
export const deadJobs = 'job_dead'
export const crons = 'cron'

const daySeconds = 86_400

// If a process is killed, the heartbeat of its jobs stops, and another one takes over.
const worked = { heartbeatSeconds: 15, deleteAfterSeconds: daySeconds / 2, notify: true }
const dead = { retentionSeconds: 30 * daySeconds }

/** All queues, dead letters first. */
export const queueSettings = {
  [deadMails]: dead,
  [deadJobs]: dead,
  // Delays between tries are set in mail/delivery.ts. This one is for jobs whose process was killed.
  [mails]: {
    ...worked,
    retryLimit: 4,
    retryDelay: 5,
    expireInSeconds: 300,
    retentionSeconds: 7 * daySeconds,
    deadLetter: deadMails,
  },
  // The last try is about an hour after the first.
  [jobs]: {
    ...worked,
    retryLimit: 6,
    retryDelay: 60,
    retryBackoff: true,
    expireInSeconds: 900,
    retentionSeconds: 7 * daySeconds,
    deadLetter: deadJobs,
  },
  // Tried again, or a deployment at the wrong minute would cost a nightly run. Then the next one comes.
  [crons]: { ...worked, retryLimit: 3, retryDelay: 60, expireInSeconds: 3000, retentionSeconds: 3600 },
}

/** Of one kind of cron job, at most one waits or runs. */
export const policies: Record<string, 'exclusive'> = { [crons]: 'exclusive' }
