import { router } from '@inertiajs/react'

// How long a new page takes at most to be there, so that it can hear what arrived meanwhile.
const settling = 50 // milliseconds

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
  }, settling)
})

/** Acts now, or, while a visit is under way, once its page is there. */
export function whenSettled(act: () => void) {
  if (settled) act()
  else waiting.push(act)
}
