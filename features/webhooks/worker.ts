import type { FastifyInstance } from 'fastify'
import { type Claimed, claimDue, firstTurn, shares } from './queue.ts'

const pollMs = 2_000
const graceMs = 5_000 // at a shutdown, which ends everything in ten seconds

/** `closing` ends the try without an outcome. */
type Deliver = (claimed: Claimed, closing: AbortSignal) => Promise<unknown>

/**
 * Sends what is due, apart from the queue of jobs, which waits for no receiver. Rejects never: what fails is claimed
 * again once its claim is over.
 */
export function createWorker(app: FastifyInstance, deliver: Deliver) {
  const underWay = new Map<number, Claimed>()
  const tries = new Set<Promise<unknown>>()
  const closing = new AbortController()
  const asking = new Set<number>() // accounts
  let turn = firstTurn
  let timer: NodeJS.Timeout | undefined
  let isLooking = false
  let isAsked = false

  /** From the turn on to the end, and once from the beginning to the end. */
  async function lookAround() {
    let isWhole = turn === firstTurn
    while (timer && underWay.size < shares.process) {
      await serveAsking()
      const { claimed, next } = await claimDue(app, turn, underWay.values())
      for (const each of claimed) start(each)
      turn = next ?? firstTurn
      if (next) continue
      if (isWhole) return
      isWhole = true
    }
  }

  /** For whom one look is enough, however many wait elsewhere for a receiver that is down. */
  async function serveAsking() {
    for (const id of [...asking]) {
      asking.delete(id)
      const { claimed } = await claimDue(app, [id, 0], underWay.values(), id)
      for (const each of claimed) start(each)
    }
  }

  function start(claimed: Claimed) {
    underWay.set(claimed.id, claimed)
    const work = deliver(claimed, closing.signal)
      .catch((err) => app.log.error({ err, delivery: claimed.id }, 'a delivery of a webhook failed'))
      .finally(() => {
        underWay.delete(claimed.id)
        tries.delete(work)
        wake(claimed.accountId)
      })
    tries.add(work)
  }

  /**
   * For a workspace that is at its share, there is nothing to do before one of its tries has ended. It is looked at alone
   * while there is room, and in its turn when that gets scarce.
   */
  function wake(accountId?: number) {
    const isFull = [...underWay.values()].filter((each) => each.accountId === accountId).length >= shares.account
    if (isFull) return
    if (accountId === undefined || underWay.size >= shares.process / 2) isAsked = true
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
    /** Begins nothing more, and waits for what is under way. */
    async stop() {
      clearInterval(timer)
      timer = undefined
      const grace = setTimeout(() => closing.abort(), graceMs)
      await Promise.allSettled(tries)
      clearTimeout(grace)
    },
  }
}
