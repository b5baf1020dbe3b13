/** What the queue's database is, as pg-boss names it. */
export type QueueProfile = 'postgres' | 'citus' | 'yugabytedb'

export const waiting = 'mail'
export const dead = 'mail_dead'

const day = 86_400 // seconds

// Delays between tries are set in delivery.ts. This one is for jobs whose process was killed: once their heartbeat
// stops, another process takes over.
export const waitingSettings = {
  retryLimit: 4,
  retryDelay: 5,
  heartbeatSeconds: 15,
  expireInSeconds: 300,
  deleteAfterSeconds: day / 2,
  retentionSeconds: 7 * day,
  deadLetter: dead,
  notify: true,
}

/** Each hour, one process gets this job. If it is killed, the next hour's run starts over. */
export const sweeping = 'sweep'
export const sweepingSettings = {
  retryLimit: 0,
  expireInSeconds: 3000,
  deleteAfterSeconds: day / 2,
  retentionSeconds: 3600,
}
export const sweepingSchedule = '17 * * * *'

export const deadSettings = { retentionSeconds: 30 * day }

/**
 * Priorities: people wait in front of the screen for awaited mails, notices should not be late, and bulk mails may be
 * many.
 */
export const priorities = { awaited: 2, notice: 1, bulk: 0 }
export type Importance = keyof typeof priorities
