import { http } from '@inertiajs/core'
import { router } from '@inertiajs/react'
import type { Flash } from '../../plugins/inertia/pages.ts'
import { clearToasts, toast } from '../toasts/toast.ts'
import { alertIn, isDeadLink, noticeIn, type Reader, usedLink } from '../words/answers.ts'
import { dismissAlert, dismissOffline, showAlert } from './alerts.ts'
import { onVisit } from './own-visits.ts'

type Initial = { flash?: Flash; props: Reader }

/** What the page shows once says by itself that it worked, and a toast could cover it. What is `true` shows nothing. */
const hasSecret = ({ notice, alert, ...others }: Flash) =>
  Object.values<unknown>(others).some((value) => value !== undefined && value !== true)

let retryAfter = 0
let reader: Reader = {}
const taken = new Set<string>()

/** Shows each flash once: notices as toasts, alerts until the next success. */
export function announceFlashes(initial: Initial | undefined) {
  http.onResponse((response) => {
    retryAfter = Number(response.headers['retry-after'] ?? 0)
    return response
  })
  reader = initial?.props ?? {}
  router.on('beforeUpdate', ({ detail: { page } }) => {
    reader = page.props
  })
  let lastVisit: string | undefined // the last that a person began
  onVisit(({ id }) => {
    lastVisit = id
  })
  router.on('success', ({ detail: { visitId } }) => (visitId === lastVisit ? dismissAlert() : dismissOffline()))
  router.on('flash', ({ detail: { flash } }) => {
    if (hasSecret(flash)) clearToasts()
    // The visit's own callbacks run first and may take the flash.
    setTimeout(() => {
      const isSaid = taken.delete('notice') || hasSecret(flash)
      const notice = !isSaid && flash.notice && noticeIn(flash.notice, reader)
      if (notice) toast(notice)
      if (!taken.delete('alert')) announce(flash)
      taken.clear()
    })
  })
  announce(initial?.flash ?? {})
}

/** Marks the current flash as handled by the caller, so it is not shown again. */
export const take = (kind: 'notice' | 'alert') => taken.add(kind)

/** The text of an alert, which may depend on the reader. None if the page itself explains it. */
export const alertText = (alert: string, reader: Reader = {}) => alertIn(alert, reader, retryAfter)

function announce({ alert }: Flash) {
  const text = alert && alertText(alert, reader)
  if (text) showAlert({ text })
  else if (alert && isDeadLink(alert)) toast(usedLink(), { isNeutral: true })
}
