import { router } from '@inertiajs/react'

const background = new Set<string>()

router.on('start', ({ detail: { visit } }) => {
  if (visit.async || visit.prefetch) background.add(visit.id)
})
router.on('finish', ({ detail: { visit } }) => background.delete(visit.id))

/** Whether nobody has asked for a visit: a reload of what changed, a look ahead. */
export const isInBackground = (visitId: string | undefined) => visitId !== undefined && background.has(visitId)
