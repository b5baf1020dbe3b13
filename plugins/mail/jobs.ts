import type { JobWithMetadata } from 'pg-boss'
import type { Address } from '../database/index.ts'
import type { JobData } from './delivery.ts'
import { connectQueues } from './queues.ts'
import { dead, waiting } from './settings.ts'

/** A mail that has not been delivered. */
export type Pending = {
  id: string
  state: 'queued' | 'failed' | 'dead'
  mail: string
  ids: Record<string, unknown>
  tries: number
  /** When it is tried next; of a dead one, when it was given up. */
  at: Date
  error: string | undefined
}

/** What an operator sees of the queue, and may do to it. */
export async function openJobs(address: Address) {
  const { boss, close } = await connectQueues(address)

  return {
    /** All that wait or were given up, oldest first. */
    async pending(): Promise<Pending[]> {
      const queued = await boss.findJobs<JobData>(waiting, { queued: true })
      const givenUp = await boss.findJobs<JobData>(dead, { queued: true })
      const oldestFirst = (a: JobWithMetadata, b: JobWithMetadata) => a.createdOn.getTime() - b.createdOn.getTime()
      return [...queued.sort(oldestFirst).map(presentWaiting), ...givenUp.sort(oldestFirst).map(presentDead)]
    },
    /** Queues all dead ones again and tells how many they were. */
    async retryDead() {
      let count = 0
      for (;;) {
        const moved = await boss.redrive(dead)
        if (moved === 0) return count
        count += moved
      }
    },
    /** Lets one be tried at once; false when nothing waits under this id. */
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

/** Our own codes, or what pg-boss says of a process that was killed. */
function errorIn(output: { code?: string; responseCode?: number; value?: { message?: string } } | null) {
  if (output?.code) return [output.code, output.responseCode].filter(Boolean).join(' ')
  return output?.value?.message
}
