import { router } from '@inertiajs/react'

// Time for a new page to mount, so its listeners get what arrived during the visit.
const settlingMs = 50

let underWay = 0
let settled = true
const waiting: (() => void)[] = []

router.on('start', ({ detail: { visit } }) => {
  if (visit.async || visit.prefetch) return
  underWay++
  settled = false
})

router.on('finish', ({ detail: { visit } }) => {
  if (visit.async || visit.prefetch) return
  underWay--
  setTimeout(() => {
    if (underWay > 0) return
    settled = true
    for (const act of waiting.splice(0)) act()
  }, settlingMs)
})

/** Runs `act` now, or after the current visit once its page is mounted. */
export function whenSettled(act: () => void) {
  if (settled) act()
  else waiting.push(act)
}
