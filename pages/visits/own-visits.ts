import type { PendingVisit } from '@inertiajs/core'
import { router } from '@inertiajs/react'

/** Calls the listener when a person begins a visit, and not for what the page loads by itself. */
export const onVisit = (listener: (visit: PendingVisit) => void) =>
  router.on('start', ({ detail: { visit } }) => {
    if (!visit.async && !visit.prefetch) listener(visit)
  })
