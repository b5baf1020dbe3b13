import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { JobResult, JobWithMetadata, PgBoss } from 'pg-boss'
import { tell } from '../happenings.ts'
import type { Message } from './message.ts'

/** What a job holds: the name of the mail, and the ids that its compose() takes. */
export type JobData = { mail: string; [id: string]: unknown }
export type Job = JobWithMetadata<JobData>
/** What all tries of one mail have in common. */
export type Posting = { id: string }

type Delivery = {
  boss: PgBoss
  log: FastifyBaseLogger
  compose(data: JobData, posting: Posting): Promise<Message | undefined>
  /** Gives the message to the mail server. */
  send(message: Message, posting: Posting, signal: AbortSignal): Promise<unknown>
  /** What the log says of a mail that was sent, and of whom. */
  outcome: string
  recipient(address: string): object
}

const minutesUntilNextTry = [1, 4, 15, 40]

/** Tries one job and settles it at once, and never throws, so that what happens to the rest of its batch cannot bring about a second copy. */
export async function deliver(
  job: Job,
  { boss, log, compose, send, outcome, recipient }: Delivery,
): Promise<JobResult> {
  const { mail } = job.data
  let to: object | undefined
  try {
    const posting = { id: job.sourceRootId ?? job.id } // of the first, for one that was taken from the dead
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
    tell('mail', { outcome: over ? 'given_up' : 'failed' })
    if (over) return { id: job.id, status: 'deadletter', output: reason }
    await tryLater(boss, job, reason).catch(() => {}) // pg-boss settles it with the batch, which must not fail as a whole
    return { id: job.id, status: 'failed', output: reason }
  }
  if (to) {
    log.info({ mail, ...to, job: job.id }, outcome)
    tell('mail', { outcome: outcome.replace('mail ', '') })
  }
  await complete(boss, job)
  return { id: job.id, status: 'completed' }
}

async function tryLater(boss: PgBoss, job: Job, reason: Reason) {
  await boss.fail(job.name, job, reason)
  await boss.update(job.name, undefined, { id: job.id, startAfter: (minutesUntilNextTry[job.retryCount] ?? 60) * 60 })
}

/** The mail is on its way, so a database that is away for a moment must not have it sent again. */
async function complete(boss: PgBoss, job: Job) {
  while (!job.signal.aborted) {
    try {
      await boss.complete(job.name, job)
      return
    } catch {
      await sleep(500)
    }
  }
}

type Reason = { code: string; responseCode?: number }

/** Only codes: the words of an error may echo the mail, and with it a link that opens an account. */
function reasonOf(error: unknown): Reason {
  const { name, code = name, responseCode } = error as { name?: string; code?: string; responseCode?: number }
  return { code: code ?? 'Error', ...(responseCode ? { responseCode } : {}) }
}

// The server has understood the mail and refuses it for good; a refused login, by contrast, is mended by an operator.
const isPermanent = ({ code, responseCode = 0 }: Reason) =>
  ['EENVELOPE', 'EMESSAGE'].includes(code) && responseCode >= 500
