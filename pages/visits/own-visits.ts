import type { PendingVisit } from '@inertiajs/core'
import { router } from '@inertiajs/react'

const isOwn = ({ async, prefetch }: PendingVisit) => !async && !prefetch

/** Calls the listener when a person begins a visit, and not for what the page loads by itself. */
export const onVisit = (listener: (visit: PendingVisit) => void) =>
  router.on('start', ({ detail: { visit } }) => {
    if (isOwn(visit)) listener(visit)
  })

// Time for a new page to mount, so its listeners get what arrived during the visit.
const settlingMs = 50

let unsettled = 0
const waiting: (() => void)[] = []

onVisit(() => {
  unsettled++
})

router.on('finish', ({ detail: { visit } }) => {
  if (!isOwn(visit)) return
  setTimeout(() => {
    unsettled--
    if (unsettled === 0) for (const act of waiting.splice(0)) act()
  }, settlingMs)
})

/** Runs `act` now, or after the current visit once its page is mounted. */
export function whenSettled(act: () => void) {
  if (unsettled === 0) act()
  else waiting.push(act)
}
