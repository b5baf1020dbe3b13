import { http } from '@inertiajs/core'
import { router } from '@inertiajs/react'
import type { AuthProps } from '../../features/auth/props.ts'
import {
  comeBack,
  endOf,
  isDeadLink,
  isGreeting,
  isRequirement,
  isSeen,
  isTooFast,
  sentenceOf,
  spentLink,
} from '../words/answers.ts'
import { dismissAlert, dismissOffline, showAlert } from './alerts.ts'
import { loadSignedIn } from './load-signed-in.ts'
import { onVisit } from './own-visits.ts'

type Flash = { notice?: string; alert?: string }
type Known = { auth?: AuthProps; required_by?: { name: string }[]; verified_email?: string }
type Initial = { flash?: Flash; props: Known }

let retryAfter = 0
let known: Known = {}
const taken = new Set<string>()

/** Shows each flash once: notices as toasts, alerts until the next success. */
export function announceFlashes(initial: Initial | undefined) {
  http.onResponse((response) => {
    retryAfter = Number(response.headers['retry-after'] ?? 0)
    return response
  })
  known = initial?.props ?? {}
  router.on('beforeUpdate', ({ detail: { page } }) => {
    known = page.props
  })
  let own: string | undefined // the last visit that a person began
  onVisit(({ id }) => {
    own = id
  })
  router.on('success', ({ detail: { visitId } }) => (visitId === own ? dismissAlert() : dismissOffline()))
  router.on('flash', ({ detail: { flash } }) => {
    // The visit's own callbacks run first and may take the flash.
    setTimeout(() => {
      if (!taken.delete('notice') && flash.notice && !known.verified_email && !isSeen(flash.notice))
        toast(endOf(flash.notice, Boolean(known.auth?.user)), { isBrief: isGreeting(flash.notice) })
      if (!taken.delete('alert')) announce(flash)
      taken.clear()
    })
  })
  announce(initial?.flash ?? {})
}

/** Marks the current flash as handled by the caller, so it is not shown again. */
export const take = (kind: keyof Flash) => taken.add(kind)

/** The text of an alert, which may depend on the user. None if the page itself explains it. */
export function alertText(alert: string, { auth, required_by = [] }: Known = {}) {
  if (required_by.some(({ name }) => isRequirement(alert, name))) return undefined
  if (retryAfter > 0 && isTooFast(alert)) return comeBack(retryAfter)
  if (auth?.user?.verified && isDeadLink(alert)) return undefined // no error: it is told as a notice
  return sentenceOf(alert)
}

function announce({ alert }: Flash) {
  const text = alert && alertText(alert, known)
  if (text) showAlert({ text })
  else if (alert && isDeadLink(alert)) toast(spentLink(), { isNeutral: true })
}

type ToastOptions = {
  action?: { label: string; run(): void } | undefined
  /** Informational, not a success. */
  isNeutral?: boolean
  isBrief?: boolean
}

export async function toast(text: string, { action, isNeutral = false, isBrief = false }: ToastOptions = {}) {
  dismissAlert()
  try {
    const { showToast } = await loadSignedIn()
    await showToast({ text, isNeutral, isBrief, ...(action && { action }) })
  } catch {
    showAlert({ text }) // it could not be loaded, possibly offline
  }
}
