export const waiting = 'mail'
export const dead = 'mail_dead'

const day = 86_400 // seconds

// The delays between tries are those of delivery.ts. The one here is for the job of a process that was killed: no heartbeat, so another takes over.
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

/** Once an hour one of all processes gets this job. Who was killed over it starts over at the next hour. */
export const sweeping = 'sweep'
export const sweepingSettings = {
  retryLimit: 0,
  expireInSeconds: 3000,
  deleteAfterSeconds: day / 2,
  retentionSeconds: 3600,
}
export const sweepingSchedule = '17 * * * *'

export const deadSettings = { retentionSeconds: 30 * day }
