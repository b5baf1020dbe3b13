import { usePage } from '@inertiajs/react'
import type { Errors } from '../../plugins/inertia/pages.ts'
import { storeOf } from '../hooks/store.ts'
import { onVisit } from '../visits/own-visits.ts'

const none: Errors = {}
let current = none
const store = storeOf(() => current, none)

/** Keeps the errors that the document came with, until the next visit. */
export function watchDocumentErrors(errors: Errors = none) {
  current = errors
  onVisit(forgetDocumentErrors)
}

export function forgetDocumentErrors() {
  current = none
  store.changed()
}

/**
 * The errors that came with the document, as when the response to a form was a new one. Forms know those of their own
 * visits, which are nobody else's.
 */
export const useDocumentErrors = (): Errors => store.use(usePage().props.errors)
