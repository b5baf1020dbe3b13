import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { choose } from './places.ts'
import { type Claimed, claimAll, findDue, firstTurn, shares, type Turn } from './queue.ts'

const pollMs = 2_000
const quickMs = 1_000
const graceMs = 5_000 // at a shutdown, which ends everything in ten seconds

/**
 * Sends what is due, apart from the queue of jobs, which waits for no receiver. Rejects never: what fails is claimed
 * again once its claim is over.
 */
export function createWorker(app: FastifyInstance, deliver: (claimed: Claimed) => Promise<unknown>) {
  const underWay = new Map<number, Claimed>()
  const tries = new Set<Promise<unknown>>()
  const quick = new Set<number>() // webhooks whose last try in this process took less than a second
  const asking = new Set<number>() // accounts
  let turn = firstTurn
  let timer: NodeJS.Timeout | undefined
  let isLooking = false
  let isAsked = false

  const isFull = () => underWay.size >= shares.process

  /** Begins what is due. Returns where to look next. */
  async function lookAt(at: Turn, accountId?: number) {
    const { due, next } = await findDue(app, at, accountId)
    const chosen = choose(due, underWay.values(), quick)
    for (const each of await claimAll(app, chosen)) start(each)
    const served = chosen.findLast(({ webhookId }) => isFull() || !quick.has(webhookId))
    if (served && accountId === undefined) turn = [served.accountId, served.webhookId]
    return next
  }

  /** From the turn on to the end, and once from the beginning to the end. */
  async function lookAround() {
    for (const begin of turn === firstTurn ? [turn] : [turn, firstTurn])
      for (let at: Turn | null = begin; at && timer && !isFull(); at = await lookAt(at)) await serveAsking()
  }

  /** For whom one look is enough, however many wait elsewhere for a receiver that is down. */
  async function serveAsking() {
    for (const id of [...asking]) {
      asking.delete(id)
      await lookAt([id, 0], id)
    }
  }

  function start(claimed: Claimed) {
    underWay.set(claimed.id, claimed)
    const begun = performance.now()
    const wasQuick = quick.has(claimed.webhookId)
    const work = deliver(claimed)
      .catch((err) => app.log.error({ err, delivery: claimed.id }, 'a delivery of a webhook failed'))
      .finally(() => {
        const isWaitedFor = isFull() || !wasQuick // its place
        underWay.delete(claimed.id)
        tries.delete(work)
        if (performance.now() - begun < quickMs) quick.add(claimed.webhookId)
        else quick.delete(claimed.webhookId)
        wake(isWaitedFor ? undefined : claimed.accountId)
      })
    tries.add(work)
  }

  /** For a workspace that is at its share, there is nothing to do before one of its tries has ended. */
  function wake(accountId?: number) {
    const ofAccount = [...underWay.values()].filter((each) => each.accountId === accountId)
    if (ofAccount.length >= shares.account) return
    if (accountId === undefined) isAsked = true
    else asking.add(accountId)
    if (!isLooking && timer) look()
  }

  async function look() {
    isLooking = true
    while ((isAsked || asking.size > 0) && timer) {
      const work = isAsked ? lookAround : serveAsking
      isAsked = false
      await work().catch((err) => app.log.error({ err }, 'deliveries of webhooks could not be claimed'))
    }
    isLooking = false
  }

  return {
    wake,
    start() {
      timer ??= setInterval(() => wake(), pollMs).unref()
      wake()
    },
    /** Begins nothing more, and waits for what is under way. What takes longer is claimed again by another process. */
    async stop() {
      clearInterval(timer)
      timer = undefined
      await Promise.race([Promise.allSettled(tries), sleep(graceMs, undefined, { ref: false })])
    },
  }
}
