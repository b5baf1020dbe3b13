import type { JobWithMetadata } from 'pg-boss'
import type { Address } from '../database/index.ts'
import { connectQueues } from './queues.ts'
import { deadJobs, deadMails, jobs, mails, type QueueProfile } from './settings.ts'

type Found = JobWithMetadata<{ mail?: string; job?: string; [id: string]: unknown }>

/** A mail that has not been delivered, or another job that is not done. */
export type Pending = {
  id: string
  state: 'queued' | 'failed' | 'dead'
  name: string
  ids: Record<string, unknown>
  tries: number
  /** When it is tried next. For a dead one, when it was given up. */
  at: Date
  error: string | undefined
}

/** The queue as operators see it. */
export async function openJobs(address: Address, backend: QueueProfile) {
  const { boss, close } = await connectQueues(address, { backend })
  if (!(await boss.getQueue(mails))) {
    await close()
    throw new Error('the application creates it when it first starts')
  }

  return {
    /** All that wait or were given up, oldest first. */
    async pending(): Promise<Pending[]> {
      const inQueues = async (...queues: string[]) => {
        const found = await Promise.all(queues.map((queue) => boss.findJobs<Found['data']>(queue, { queued: true })))
        return found.flat().sort((a, b) => a.createdOn.getTime() - b.createdOn.getTime())
      }
      return [
        ...(await inQueues(mails, jobs)).map(presentWaiting),
        ...(await inQueues(deadMails, deadJobs)).map(presentDead),
      ]
    },
    /** Queues all dead ones again and returns how many there were. */
    async retryDead() {
      let count = 0
      for (const dead of [deadMails, deadJobs]) {
        for (let moved = 1; moved > 0; count += moved) moved = await boss.redrive(dead)
      }
      return count
    },
    /** Retries one at once. Returns false if there is none with this id. */
    async retry(id: string) {
      if (!uuid.test(id)) return false
      for (const dead of [deadMails, deadJobs]) if ((await boss.redrive(dead, { ids: [id] })) > 0) return true
      for (const queue of [mails, jobs]) {
        if ((await boss.update(queue, undefined, { id, startAfter: new Date() })).updated > 0) return true
      }
      return false
    },
    close,
  }
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

const contentOf = ({ id, data: { mail, job, ...ids } }: Found) => ({ id, name: mail ?? job ?? '', ids })

function presentWaiting(found: Found): Pending {
  const failed = found.state === 'retry'
  const state = failed ? 'failed' : 'queued'
  const tries = failed ? found.retryCount + 1 : 0
  return { ...contentOf(found), state, tries, at: found.startAfter, error: errorIn(found.output) }
}

function presentDead(found: Found): Pending {
  const tries = (found.sourceRetryCount ?? 0) + 1
  return { ...contentOf(found), state: 'dead', tries, at: found.createdOn, error: errorIn(found.sourceOutput) }
}

/** Our own error code, or pg-boss's message for a killed process. */
function errorIn(output: { code?: string; responseCode?: number; value?: { message?: string } } | null) {
  if (output?.code) return [output.code, output.responseCode].filter(Boolean).join(' ')
  return output?.value?.message
}
