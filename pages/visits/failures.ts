import { HttpNetworkError, type PendingVisit } from '@inertiajs/core'
import { router } from '@inertiajs/react'
import { type Alert, showAlert } from './alerts.ts'
import { isFile, saveFile } from './files.ts'

const reload = { label: 'Reload', run: () => location.reload() }

const answers: Record<number, Alert> = {
  404: { text: 'That is not here any more.', action: reload },
  413: { text: 'That is too much at once. Make it shorter and try again.' },
  422: { text: 'This page is out of date. Reload it and try again.', action: reload },
  429: { text: 'Too many tries. Wait a moment and try again.' },
  503: { text: 'We are busy right now. Wait a moment and try again.' },
}
const anyOther: Alert = { text: 'Something went wrong on our side. Please try again.' }
const noAnswer: Alert = {
  text: 'The server cannot be reached. Check your connection and try again: nothing that you typed is lost.',
  offline: true,
}

/** Shows responses that are not pages, and missing responses, as a message on the current page. */
export function explainFailures() {
  let last: PendingVisit | undefined
  const sentAgain = new WeakSet<object>()
  router.on('start', ({ detail: { visit } }) => {
    if (!visit.async && !visit.prefetch) last = visit
  })

  router.on('httpException', ({ detail: { response } }) => {
    if (response.headers['x-inertia']) return
    if (isFile(response)) {
      saveFile(response)
      return false
    }
    if (response.status === 404 && last?.method === 'get') location.assign(last.url)
    else if (response.status === 422 && last && last.method !== 'get' && !sentAgain.has(last.data as object)) {
      sentAgain.add(last.data as object)
      sendAgain(last).catch(() => showAlert(noAnswer))
    } else showAlert(answers[response.status] ?? anyOther)
    return false
  })

  router.on('networkError', ({ detail: { error } }) => {
    showAlert(noAnswer)
    return !(error instanceof HttpNetworkError) // anything else is a bug and belongs in the console
  })

  // A failed validation ahead (offline, rate limit) is not reported. Submitting the form will report it.
  window.addEventListener('unhandledrejection', (event) => {
    if (isAboutPrecognition(event.reason)) event.preventDefault()
  })
}

/**
 * The CSRF token may be outdated after a restart, a sign-in in another tab or an expired cookie. Any response brings a
 * new one, so fetch one and repeat the visit.
 */
async function sendAgain(visit: PendingVisit) {
  await fetch(location.href, { method: 'HEAD' })
  router.visit(visit.url, { ...visit, headers: withoutToken(visit.headers) })
}

const withoutToken = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'x-xsrf-token'))

const isAboutPrecognition = (reason: unknown) =>
  reason instanceof Error && (/Precognition/.test(reason.message) || /^Http(Network|Response)Error$/.test(reason.name))
