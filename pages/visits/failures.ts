import { HttpNetworkError, type PendingVisit } from '@inertiajs/core'
import { router } from '@inertiajs/react'
import { isFile, saveFile } from '../shared/files.ts'
import { t } from '../words/t.ts'
import { type Alert, dismissOffline, showAlert } from './alerts.ts'
import { isVisiting, onVisit } from './own-visits.ts'

export const sayUnreachable = () =>
  showAlert({
    text: t("We can't reach the server. Check your connection and try again: nothing you typed is lost."),
    offline: true,
  })

export const tooMany = () => t('Too many tries. Wait a moment and try again.')

function explain(status: number): Alert {
  const action = { label: t('Reload'), run: () => location.reload() }
  const explanations: Record<number, Alert> = {
    404: { text: t('That no longer exists.'), action },
    413: { text: t('That is too much at once. Make it shorter and try again.') },
    422: { text: t('This page is out of date. Reload it and try again.'), action },
    429: { text: tooMany() },
    503: { text: t('We are busy right now. Wait a moment and try again.') },
  }
  return explanations[status] ?? { text: t('Something went wrong on our side. Please try again.') }
}

/** Shows responses that are not pages, and missing responses, as a message on the current page. */
export function explainFailures() {
  let last: PendingVisit | undefined
  const sentAgain = new WeakSet<object>()
  onVisit((visit) => {
    last = visit
  })

  router.on('httpException', ({ detail: { response } }) => {
    if (response.headers['x-inertia']) return
    if (isFile(response)) {
      saveFile(response)
      return false
    }
    if ([404, 431].includes(response.status) && last?.method === 'get') location.assign(last.url)
    else if (response.status === 422 && last && last.method !== 'get' && !sentAgain.has(last.data as object)) {
      sentAgain.add(last.data as object)
      sendAgain(last).catch(sayUnreachable)
    } else showAlert(explain(response.status))
    return false
  })

  window.addEventListener('online', dismissOffline)
  router.on('networkError', ({ detail: { error } }) => {
    if (isVisiting()) sayUnreachable() // and not for what the page loads by itself
    return !(error instanceof HttpNetworkError) // anything else is a bug and belongs in the console
  })

  window.addEventListener('unhandledrejection', (event) => {
    // A failed validation ahead, such as over a rate limit, is not reported. Submitting the form will report it.
    if (isAboutPrecognition(event.reason)) event.preventDefault()
  })
}

/**
 * The CSRF token may be outdated after a restart, a sign-in in another tab or an expired cookie. Any response brings a
 * new one, so fetch one and repeat the visit.
 */
async function sendAgain(visit: PendingVisit) {
  await fetch(location.href, { method: 'HEAD', cache: 'no-store' })
  router.visit(visit.url, visit)
}

const isAboutPrecognition = (reason: unknown) =>
  reason instanceof Error && (/Precognition/.test(reason.message) || /^Http(Network|Response)Error$/.test(reason.name))
