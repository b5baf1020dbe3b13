import { HttpNetworkError } from '@inertiajs/core'
import { router } from '@inertiajs/react'
import type { Toast } from '../toasts/toaster.tsx'
import { toast } from '../toasts/toasts.ts'

const reload = { label: 'Reload', run: () => location.reload() }
const alert = (text: string, action?: Toast['action']): Toast => ({ kind: 'alert', text, ...(action && { action }) })

const answers: Record<number, Toast> = {
  404: alert('That is not here any more.', reload),
  422: alert('This page is out of date. Reload it and try again.', reload),
  429: alert('That was a little fast. Wait a moment and try again.'),
}
const anyOther = alert('Something went wrong on our side. Please try again.')
const noAnswer = alert('The server cannot be reached. Check your connection and try again.')

/** Answers that are no pages, and no answers at all, become a message on the page where the person is. */
export function explainFailures() {
  let destination: URL | undefined
  router.on('start', ({ detail: { visit } }) => {
    destination = visit.method === 'get' && !visit.async && !visit.prefetch ? visit.url : undefined
  })

  router.on('httpException', ({ detail: { response } }) => {
    if (response.headers['x-inertia']) return
    if (response.status === 404 && destination) location.assign(destination)
    else toast(answers[response.status] ?? anyOther)
    return false
  })

  router.on('networkError', ({ detail: { error } }) => {
    toast(noAnswer)
    return !(error instanceof HttpNetworkError) // anything else is a fault of ours and belongs into the console
  })

  // A field that could not be validated ahead (offline, too many tries) is no failure: submitting the form will tell.
  window.addEventListener('unhandledrejection', (event) => {
    if (isAboutPrecognition(event.reason)) event.preventDefault()
  })
}

const isAboutPrecognition = (reason: unknown) =>
  reason instanceof Error && (/Precognition/.test(reason.message) || /^Http(Network|Response)Error$/.test(reason.name))
