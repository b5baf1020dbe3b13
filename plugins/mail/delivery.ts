import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { JobResult, JobWithMetadata, PgBoss } from 'pg-boss'
import { instrument } from '../instrumentation.ts'
import { definitionOf } from '../queues/definitions.ts'
import type { Message } from './message.ts'
import type { Transport } from './transport.ts'

/** The name of the mail, and the ids that its compose() takes. An address is always called `email` (see forget). */
type Job = JobWithMetadata<{ mail: string; [id: string]: unknown }>
/** Shared by all attempts to send the same mail. */
export type DeliveryKey = { id: string }

/**
 * Priorities: people wait in front of the screen for awaited mails, notices should not be late, and bulk mails may be
 * many.
 */
export const priorities = { awaited: 2, notice: 1, bulk: 0 }

export type Definition<Ids> = {
  /** Runs when the mail is sent. Returns undefined if the mail is no longer needed. */
  compose(ids: Ids, key: DeliveryKey): Promise<Message | undefined>
  /** Determines which mails are sent first. */
  importance?: keyof typeof priorities
  /** A mail that has waited longer than its link is valid is not sent: the person has given up by then. */
  lifetimeMs?: number
  /** Its job contains personal data, of which nothing is kept: it is deleted once sent, given up or expired. */
  ephemeral?: true
}

type Delivery = {
  boss: PgBoss
  log: FastifyBaseLogger
  definitions: Map<string, Definition<never>>
  transport: Transport
  /** Hands the message to the mail server. */
  send(message: Message, key: DeliveryKey, signal: AbortSignal): Promise<unknown>
}

const minutesUntilNextTry = [1, 4, 15, 40]

/**
 * Attempts one job and settles it at once. Never throws: a failing job must not fail its batch, which would send other
 * mails twice.
 */
export async function deliver(job: Job, { boss, log, definitions, transport, send }: Delivery): Promise<JobResult> {
  const { mail, ...ids } = job.data
  const { lifetimeMs = Number.POSITIVE_INFINITY, ephemeral } = definitions.get(mail) ?? {}
  let to: object | undefined
  const report = (level: 'info' | 'warn' | 'error', outcome: string, more?: object) => {
    log[level]({ mail, ...to, job: job.id, ...more }, `mail ${outcome.replace('_', ' ')}`)
    instrument('mail', { outcome })
  }
  const end = async (): Promise<JobResult> => {
    await persist(() => (ephemeral ? boss.deleteJob(job.name, job.id) : boss.complete(job.name, job)), job.signal)
    return { id: job.id, status: 'completed' }
  }

  if (ageMs(job) >= lifetimeMs) {
    report('warn', 'expired')
    return end()
  }
  try {
    // the id of the original job, if this one was revived from the dead letters
    const key = { id: job.sourceRootId ?? job.id }
    const { compose } = definitionOf(definitions, 'mail', mail)
    const message = await compose(ids as never, key) // queue() checked them for this name
    to = message && transport.recipient(message.to)
    if (message) await send(message, key, job.signal)
  } catch (error) {
    const reason = reasonOf(error)
    const isFinal = isPermanent(reason) || job.retryCount >= job.retryLimit
    report(isFinal ? 'error' : 'warn', isFinal ? 'given_up' : 'failed', { try: job.retryCount + 1, ...reason })
    if (isFinal && ephemeral) return end()
    // if it fails, pg-boss settles the job with the batch, which must not fail as a whole
    if (!isFinal) await tryLater(boss, job, reason).catch(() => {})
    return { id: job.id, status: isFinal ? 'deadletter' : 'failed', output: reason }
  }
  if (to) report('info', transport.outcome)
  return end()
}

/** Uses only the database's clock, since the process's may be wrong. */
const ageMs = ({ createdOn, startedOn }: Job) => startedOn.getTime() - createdOn.getTime()

async function tryLater(boss: PgBoss, job: Job, reason: Reason) {
  await boss.fail(job.name, job, reason)
  await boss.update(job.name, undefined, { id: job.id, startAfter: (minutesUntilNextTry[job.retryCount] ?? 60) * 60 })
}

/** The mail has been sent, so keep trying to end the job, or a brief database outage would send it again. */
async function persist(end: () => Promise<unknown>, signal: AbortSignal) {
  while (!signal.aborted) {
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
