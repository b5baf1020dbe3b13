import type { FastifyBaseLogger } from 'fastify'
import type { JobResult, JobWithMetadata, PgBoss } from 'pg-boss'
import { unwrapQueryError } from '../database/index.ts'
import { instrument } from '../instrumentation.ts'
import { jobs, privateJobs } from './queues.ts'

export type Run = {
  id: string
  /** Aborted when the process shuts down, or when a try has taken too long. */
  signal: AbortSignal
  isLastTry: boolean
}

export type Definition<Data> = {
  /** May run twice, if a process dies at its end. If it throws, it is tried eight times more in about an hour. */
  work(data: Data, run: Run): Promise<unknown>
  /** When it runs by itself, in UTC, once in all processes. */
  cron?: string
  /** Its data is personal: it is deleted as soon as it is done, and given up after an hour without a trace. */
  isPrivate?: true
}

/** What a job returns that had nothing to do any more, and has said so in the log. */
export const skipped = Symbol('skipped')

type Job = JobWithMetadata<{ job: string }>

export type Definitions = Map<string, Definition<never>>

type Worker = {
  boss: PgBoss
  definitions: Definitions
  log: FastifyBaseLogger
  /** Aborted when the process shuts down. */
  closing: AbortSignal
}

/** Jobs send a notification when they are queued, but not when they are due again. */
export const pollSeconds = 10

const workOptions = {
  includeMetadata: true,
  batchSize: 5,
  burstWhenBatchFull: true,
  notifyPollingIntervalSeconds: pollSeconds,
  perJobResults: true,
  localConcurrency: 2, // so that a slow job does not hold up all others
} as const

export function definitionOf(definitions: Definitions, name: string) {
  const definition = definitions.get(name)
  // Another version may define it, so it is tried again.
  if (!definition) throw Object.assign(new Error(`no feature defines the job ${name}`), { code: 'UNKNOWN_JOB' })
  return definition
}

export const queueOf = ({ isPrivate }: Definition<never>) => (isPrivate ? privateJobs : jobs)

/** Works on the queues until pg-boss is stopped. */
export async function startWorkers(worker: Worker) {
  const { boss } = worker
  for (const queue of [jobs, privateJobs])
    await boss.work(queue, workOptions, (claimed: Job[]) => Promise.all(claimed.map((job) => perform(worker, job))))
  await keepSchedules(worker)
}

/** Keeps the schedules of this version and no others. */
async function keepSchedules({ boss, definitions }: Worker) {
  for (const [job, { cron }] of definitions) if (cron) await boss.schedule(jobs, cron, { job }, { key: job })
  for (const { key } of await boss.getSchedules(jobs)) {
    if (!definitions.get(key)?.cron) await boss.unschedule(jobs, key)
  }
}

async function perform(worker: Worker, claimed: Job): Promise<JobResult> {
  const { definitions, log, closing } = worker
  const { id, name: queue, data, retryCount, retryLimit, sourceRootId } = claimed
  const { job, ...ids } = data
  const isLastTry = retryCount >= retryLimit
  const signal = AbortSignal.any([claimed.signal, closing])
  const about = { job, id, try: retryCount + 1 }
  let result: JobResult = { id, status: 'completed' }
  if (isLastTry && !definitions.has(job)) {
    log.warn(about, 'job dropped: no feature defines it')
    return result
  }
  try {
    const run = { id: sourceRootId ?? id, signal, isLastTry }
    const outcome = await definitionOf(definitions, job).work(ids as never, run)
    if (outcome !== skipped) log.info(about, 'job done')
    instrument('job', { outcome: 'done' })
  } catch (err) {
    log[isLastTry ? 'error' : 'warn']({ ...about, err }, isLastTry ? 'job given up' : 'job failed')
    instrument('job', { outcome: isLastTry ? 'given_up' : 'failed' })
    // The queue keeps it, and a message may quote personal data.
    const { name, code = name } = unwrapQueryError(err as Error)
    result = { id, status: 'failed', output: { code } }
  }
  if (queue === privateJobs && (isLastTry || result.status === 'completed')) await deletePrivate(worker, id)
  return result
}

/** Queues delete such a job soon anyway. An error here would fail the whole batch, and send its mails again. */
async function deletePrivate({ boss, log }: Worker, id: string) {
  try {
    await boss.deleteJob(privateJobs, id)
  } catch (err) {
    log.error({ err, id }, 'a private job stays for a minute')
  }
}
