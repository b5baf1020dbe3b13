import type { PendingVisit } from '@inertiajs/core'
import { router } from '@inertiajs/react'
import { storeOf } from '../hooks/store.ts'

const isOwn = ({ async, prefetch }: PendingVisit) => !async && !prefetch

/**
 * Calls the listener when a person begins a visit, and not for what the page loads by itself. Not at `start`, without
 * which a page comes that was prefetched.
 */
export const onVisit = (listener: (visit: PendingVisit) => void) =>
  router.on('before', (event) => {
    const { visit } = event.detail
    // Another listener may still prevent it.
    if (isOwn(visit)) queueMicrotask(() => event.defaultPrevented || listener(visit))
  })

// Time for a new page to mount, so its listeners get what arrived during the visit.
const settlingMs = 50

let current: PendingVisit | undefined
const waiting: (() => void)[] = []
const store = storeOf(() => (current?.method === 'get' ? current.url.pathname : undefined), undefined)

/** Where a visit leads that is under way, so that its link can be marked at once. */
export const usePendingPath = () => store.use()

export const isVisiting = () => current !== undefined

onVisit((visit) => {
  current = visit // any other ends with it
  store.changed()
})

// What was prefetched is from before the change.
onVisit(({ method }) => method !== 'get' && router.flushAll())

/** A visit whose page was prefetched only has a `success`, or an error that does not say whose it is. */
function settle(id = current?.id) {
  if (id !== current?.id) return
  setTimeout(() => {
    if (id !== current?.id) return
    current = undefined
    store.changed()
    for (const act of waiting.splice(0)) act()
  }, settlingMs)
}

router.on('finish', ({ detail: { visit } }) => settle(visit.id))
router.on('success', ({ detail: { visitId } }) => settle(visitId))
router.on('httpException', () => settle())
router.on('networkError', () => settle())

/** Runs `act` now, or after the current visit once its page is mounted. */
export function whenSettled(act: () => void) {
  if (current === undefined) act()
  else waiting.push(act)
}
