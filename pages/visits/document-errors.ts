import { router, usePage } from '@inertiajs/react'
import { useSyncExternalStore } from 'react'
import type { Errors } from '../../plugins/inertia/pages.ts'

const none: Errors = {}
let current = none
const listeners = new Set<() => void>()

/** Keeps the errors that the document came with, until the next visit. */
export function watchDocumentErrors(errors: Errors = none) {
  current = errors
  router.on('start', ({ detail: { visit } }) => {
    if (!visit.async && !visit.prefetch) forgetDocumentErrors()
  })
}

export function forgetDocumentErrors() {
  current = none
  for (const listener of listeners) listener()
}

/**
 * The errors that came with the document, as when the response to a form was a new one. Forms know those of their own
 * visits, which are nobody else's.
 */
export function useDocumentErrors(): Errors {
  const { errors } = usePage().props
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => errors,
  )
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
