import type { Due } from './queue.ts'

const shares = { webhook: 5, account: 10, process: 200 }
const leftForEach = 10
const keptForQuick = shares.process / 2

/** The webhooks for which something may be due, workspaces by turns. */
export function createQueue() {
  const waiting = new Map<number, Set<number>>() // webhooks, by the account whose turn comes next

  function* inTurn() {
    for (const [accountId, webhookIds] of waiting) for (const webhookId of webhookIds) yield { accountId, webhookId }
  }

  return {
    add({ accountId, webhookId }: Due) {
      waiting.set(accountId, (waiting.get(accountId) ?? new Set()).add(webhookId))
    },
    /** Those that get a place leave the queue, and what else waits in their workspaces goes to its end. */
    take(underWay: Iterable<Due>, quick: Set<number>) {
      const chosen = choose(inTurn(), underWay, quick)
      for (const { accountId, webhookId } of chosen) {
        const others = waiting.get(accountId) ?? new Set()
        others.delete(webhookId)
        waiting.delete(accountId)
        if (others.size > 0) waiting.set(accountId, others)
      }
      return chosen
    },
  }
}

/**
 * Which of these get a place. The more a workspace has, the more must be left, and half of all is kept for workspaces
 * that have none and whose receiver was quick. So receivers that never answer, or answer no longer, fill no process.
 */
function choose(due: Iterable<Due>, underWay: Iterable<Due>, quick: Set<number>) {
  const ofWebhook = new Map<number, number>()
  const ofAccount = new Map<number, number>()
  const count = (places: Map<number, number>, id: number) => places.get(id) ?? 0
  let left = shares.process
  function take({ webhookId, accountId }: Due) {
    left--
    ofWebhook.set(webhookId, count(ofWebhook, webhookId) + 1)
    ofAccount.set(accountId, count(ofAccount, accountId) + 1)
  }

  for (const each of underWay) take(each)
  const chosen: Due[] = []
  for (const each of due) {
    if (left <= 0) break
    const held = count(ofAccount, each.accountId)
    if (held >= shares.account || count(ofWebhook, each.webhookId) >= shares.webhook) continue
    const isKeptFor = held === 0 && quick.has(each.webhookId)
    if (!isKeptFor && left <= keptForQuick + held * leftForEach) continue
    take(each)
    chosen.push(each)
  }
  return chosen
}
