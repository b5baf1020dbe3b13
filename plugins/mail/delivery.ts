import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { JobResult, JobWithMetadata, PgBoss } from 'pg-boss'
import { emit } from '../events.ts'
import type { Message } from './message.ts'

/** The name of the mail, and the ids that its compose() takes. An address is always called `email` (see forget). */
export type JobData = { mail: string; [id: string]: unknown }
export type Job = JobWithMetadata<JobData>
/** Shared by all attempts to send the same mail. */
export type Posting = { id: string }

type Delivery = {
  boss: PgBoss
  log: FastifyBaseLogger
  /** Milliseconds after which the mail is no longer sent, if any. */
  lifetimeOf(data: JobData): number | undefined
  /** Whether nothing is kept of the job, whatever becomes of the mail. */
  isEphemeral(data: JobData): boolean
  compose(data: JobData, posting: Posting): Promise<Message | undefined>
  /** Hands the message to the mail server. */
  send(message: Message, posting: Posting, signal: AbortSignal): Promise<unknown>
  /** How the log describes a sent mail and its recipient. */
  outcome: string
  recipient(address: string): object
}

const minutesUntilNextTry = [1, 4, 15, 40]

/**
 * Attempts one job and settles it at once. Never throws: a failing job must not fail its batch, which would send other
 * mails twice.
 */
export async function deliver(
  job: Job,
  { boss, log, lifetimeOf, isEphemeral, compose, send, outcome, recipient }: Delivery,
): Promise<JobResult> {
  const { mail } = job.data
  const end = () =>
    settle(() => (isEphemeral(job.data) ? boss.deleteJob(job.name, job.id) : boss.complete(job.name, job)), job)
  if (ageOf(job) >= (lifetimeOf(job.data) ?? Number.POSITIVE_INFINITY)) {
    log.warn({ mail, job: job.id }, 'mail expired')
    emit('mail', { outcome: 'expired' })
    await end()
    return { id: job.id, status: 'completed' }
  }
  let to: object | undefined
  try {
    // the id of the original job, if this one was revived from the dead letters
    const posting = { id: job.sourceRootId ?? job.id }
    const message = await compose(job.data, posting)
    to = message && recipient(message.to)
    if (message) await send(message, posting, job.signal)
  } catch (error) {
    const reason = reasonOf(error)
    const over = isPermanent(reason) || job.retryCount >= job.retryLimit
    log[over ? 'error' : 'warn'](
      { mail, ...to, job: job.id, try: job.retryCount + 1, ...reason },
      over ? 'mail given up' : 'mail failed',
    )
    emit('mail', { outcome: over ? 'given_up' : 'failed' })
    if (over && !isEphemeral(job.data)) return { id: job.id, status: 'deadletter', output: reason }
    if (over) {
      await end()
      return { id: job.id, status: 'completed' }
    }
    // if it fails, pg-boss settles the job with the batch, which must not fail as a whole
    await tryLater(boss, job, reason).catch(() => {})
    return { id: job.id, status: 'failed', output: reason }
  }
  if (to) {
    log.info({ mail, ...to, job: job.id }, outcome)
    emit('mail', { outcome: outcome.replace('mail ', '') })
  }
  await end()
  return { id: job.id, status: 'completed' }
}

/** Milliseconds. Uses only the database's clock, since the process's may be wrong. */
const ageOf = ({ createdOn, startedOn }: Job) => startedOn.getTime() - createdOn.getTime()

async function tryLater(boss: PgBoss, job: Job, reason: Reason) {
  await boss.fail(job.name, job, reason)
  await boss.update(job.name, undefined, { id: job.id, startAfter: (minutesUntilNextTry[job.retryCount] ?? 60) * 60 })
}

/** The mail has been sent, so keep trying to end the job, or a brief database outage would send it again. */
async function settle(end: () => Promise<unknown>, job: Job) {
  while (!job.signal.aborted) {
    try {
      await end()
      return
    } catch {
      await sleep(500)
    }
  }
}

type Reason = { code: string; responseCode?: number }

/** Codes only: the message of an error may quote the mail, including links that grant access. */
function reasonOf(error: unknown): Reason {
  const { name, code = name, responseCode } = error as { name?: string; code?: string; responseCode?: number }
  return { code: code ?? 'Error', ...(responseCode ? { responseCode } : {}) }
}

// The server rejected the mail for good. A rejected login is not permanent, since an operator can fix it.
const isPermanent = ({ code, responseCode = 0 }: Reason) =>
  ['EENVELOPE', 'EMESSAGE'].includes(code) && responseCode >= 500
