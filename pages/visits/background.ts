import { router } from '@inertiajs/react'

const background = new Set<string>()

router.on('start', ({ detail: { visit } }) => {
  if (visit.async || visit.prefetch) background.add(visit.id)
})
router.on('finish', ({ detail: { visit } }) => background.delete(visit.id))

/** Whether a visit was not started by the user, such as a reload or a prefetch. */
export const isInBackground = (visitId: string | undefined) => visitId !== undefined && background.has(visitId)
