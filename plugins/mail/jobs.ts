import type { JobWithMetadata } from 'pg-boss'
import type { Address } from '../database/index.ts'
import type { JobData } from './delivery.ts'
import { connectQueues } from './queues.ts'
import { dead, type QueueProfile, waiting } from './settings.ts'

/** A mail that has not been delivered. */
export type Pending = {
  id: string
  state: 'queued' | 'failed' | 'dead'
  mail: string
  ids: Record<string, unknown>
  tries: number
  /** When it is tried next. For a dead one, when it was given up. */
  at: Date
  error: string | undefined
}

/** The queue as operators see it. */
export async function openJobs(address: Address, backend: QueueProfile) {
  const { boss, close } = await connectQueues(address, { backend })

  return {
    /** All mails waiting or given up, oldest first. */
    async pending(): Promise<Pending[]> {
      const queued = await boss.findJobs<JobData>(waiting, { queued: true })
      const givenUp = await boss.findJobs<JobData>(dead, { queued: true })
      const oldestFirst = (a: JobWithMetadata, b: JobWithMetadata) => a.createdOn.getTime() - b.createdOn.getTime()
      return [...queued.sort(oldestFirst).map(presentWaiting), ...givenUp.sort(oldestFirst).map(presentDead)]
    },
    /** Queues all dead mails again and returns how many there were. */
    async retryDead() {
      let count = 0
      for (;;) {
        const moved = await boss.redrive(dead)
        if (moved === 0) return count
        count += moved
      }
    },
    /** Retries one mail at once. Returns false if there is none with this id. */
    async retry(id: string) {
      if (!uuid.test(id)) return false
      if ((await boss.redrive(dead, { ids: [id] })) > 0) return true
      return (await boss.update(waiting, undefined, { id, startAfter: new Date() })).updated > 0
    },
    close,
  }
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

const presentWaiting = ({ id, data, state, retryCount, startAfter, output }: JobWithMetadata<JobData>): Pending => {
  const failed = state === 'retry'
  const tries = failed ? retryCount + 1 : 0
  return { id, ...contentOf(data), state: failed ? 'failed' : 'queued', tries, at: startAfter, error: errorIn(output) }
}

const presentDead = ({ id, data, sourceRetryCount, createdOn, sourceOutput }: JobWithMetadata<JobData>): Pending => {
  return {
    id,
    ...contentOf(data),
    state: 'dead',
    tries: (sourceRetryCount ?? 0) + 1,
    at: createdOn,
    error: errorIn(sourceOutput),
  }
}

const contentOf = ({ mail, ...ids }: JobData) => ({ mail, ids })

/** Our own error code, or pg-boss's message for a killed process. */
function errorIn(output: { code?: string; responseCode?: number; value?: { message?: string } } | null) {
  if (output?.code) return [output.code, output.responseCode].filter(Boolean).join(' ')
  return output?.value?.message
}
