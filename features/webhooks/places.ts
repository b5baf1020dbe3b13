import { type Due, shares } from './queue.ts'

const leftForEach = 10
const keptForQuick = shares.process / 2

/**
 * Who gets a place. The more a workspace has, the more must be left, and half of all is kept for workspaces that have
 * none and whose receiver was quick. So receivers that never answer, or answer no longer, fill no process.
 */
export function choose(due: Due[], underWay: Iterable<Due>, quick: Set<number>) {
  const places = new Map<string, number>()
  const placesOf = (name: string) => places.get(name) ?? 0
  let left = shares.process
  function take({ webhookId, accountId }: Due) {
    left--
    for (const name of [`webhook ${webhookId}`, `account ${accountId}`]) places.set(name, placesOf(name) + 1)
  }

  for (const each of underWay) take(each)
  const chosen: Due[] = []
  for (const each of due) {
    const ofAccount = placesOf(`account ${each.accountId}`)
    if (ofAccount >= shares.account || placesOf(`webhook ${each.webhookId}`) >= shares.webhook) continue
    const isKeptFor = ofAccount === 0 && quick.has(each.webhookId)
    if (left <= (isKeptFor ? 0 : keptForQuick + ofAccount * leftForEach)) continue
    take(each)
    chosen.push(each)
  }
  return chosen
}
