import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { createQueue } from './places.ts'
import { type Claimed, claimNext, type Due, findDue } from './queue.ts'

const pollMs = 2_000
const quickMs = 1_000
const graceMs = 5_000 // at a shutdown, which ends everything in ten seconds

export type Wake = (webhooks: Due[]) => void

/**
 * Sends what is due, apart from the queue of jobs, which waits for no receiver. Rejects never: what fails is claimed
 * again once its claim is over.
 */
export function createWorker(app: FastifyInstance, deliver: (claimed: Claimed) => Promise<unknown>) {
  const queue = createQueue()
  const underWay = new Map<Claimed, Promise<unknown>>()
  const quick = new Set<number>() // webhooks whose last try in this process took less than a second
  let isOn = false
  let isOver = false
  let isClaiming = false
  let lastClaim = Promise.resolve()

  const wake: Wake = (webhooks) => {
    for (const each of webhooks) queue.add(each)
    if (isOn && !isClaiming) lastClaim = claim()
  }

  /** Begins a try of each webhook that gets a place, until none does. */
  async function claim() {
    isClaiming = true
    const take = () => queue.take(underWay.keys(), quick)
    for (let chosen = take(); isOn && chosen.length > 0; chosen = take())
      for (const claimed of await claimNext(app, chosen).catch(reportNone)) start(claimed)
    isClaiming = false
  }

  function reportNone(err: unknown) {
    app.log.error({ err }, 'deliveries of webhooks could not be claimed')
    return []
  }

  function start(claimed: Claimed) {
    const { webhookId, id } = claimed
    const begun = performance.now()
    const work = deliver(claimed)
      .catch((err) => app.log.error({ err, delivery: id }, 'a delivery of a webhook failed'))
      .finally(() => {
        underWay.delete(claimed)
        if (performance.now() - begun < quickMs) quick.add(webhookId)
        else quick.delete(webhookId)
        wake([]) // for whoever waits for a place
      })
    underWay.set(claimed, work)
    wake([claimed]) // more may be due
  }

  /** Finds what is to be tried again, and what other processes left. */
  async function poll() {
    while (isOn) {
      wake(await findDue(app).catch(reportNone))
      await sleep(pollMs, undefined, { ref: false })
    }
  }

  return {
    wake,
    start() {
      if (isOver) return // the application listened just before it was closed
      isOn = true
      poll()
    },
    /** Begins nothing more, and waits for what is under way. What takes longer is claimed again by another process. */
    async stop() {
      isOver = true
      isOn = false
      // What is being claimed begins, too: left alone, it would be sent, but not kept as sent.
      const ended = lastClaim.then(() => Promise.allSettled(underWay.values()))
      await Promise.race([ended, sleep(graceMs, undefined, { ref: false })])
    },
  }
}
