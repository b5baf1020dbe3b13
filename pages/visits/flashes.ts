import { http } from '@inertiajs/core'
import { router } from '@inertiajs/react'
import type { AuthProps, UserProps } from '../../features/auth/props.ts'
import { comeBack, endOf, isDeadLink, isTooFast, sentenceOf, spentLink } from '../words/answers.ts'
import { dismissAlert, dismissOffline, showAlert } from './alerts.ts'
import { isInBackground } from './background.ts'

type Flash = { notice?: string; alert?: string }
type Initial = { flash?: Flash; props: { auth?: AuthProps } }

let retryAfter = 0
let user: UserProps | null | undefined
const taken = new Set<string>()

/** Shows each flash once: notices as toasts, alerts until the next success. */
export function announceFlashes(initial: Initial | undefined) {
  http.onResponse((response) => {
    retryAfter = Number(response.headers['retry-after'] ?? 0)
    return response
  })
  user = initial?.props.auth?.user
  tell(initial?.flash ?? {}) // at once, since the server may have rendered it
  router.on('beforeUpdate', ({ detail: { page } }) => {
    user = page.props.auth?.user
  })
  router.on('success', ({ detail: { visitId } }) => (isInBackground(visitId) ? dismissOffline() : dismissAlert()))
  router.on('flash', ({ detail: { flash } }) => {
    // The visit's own callbacks run first and may take the flash.
    setTimeout(() => {
      if (!taken.delete('notice') && flash.notice) toast(endOf(flash.notice, Boolean(user)))
      if (!taken.delete('alert')) tell(flash)
      taken.clear()
    })
  })
  whenIdle(() => void loadToaster().catch(() => {}))
}

/** Marks the current flash as handled by the caller, so it is not shown again. */
export const take = (kind: keyof Flash) => taken.add(kind)

/** The text of an alert, which may depend on the user. */
export function alertText(alert: string, user?: UserProps | null) {
  if (retryAfter > 0 && isTooFast(alert)) return comeBack(retryAfter)
  return user?.verified && isDeadLink(alert) ? spentLink() : sentenceOf(alert)
}

const tell = ({ alert }: Flash) => alert && showAlert({ text: alertText(alert, user) })

/** Shows a success message at the bottom of the window. */
export async function toast(text: string, action?: { label: string; run(): void }) {
  dismissAlert()
  try {
    const { show } = await loadToaster()
    await show({ text, ...(action && { action }) })
  } catch {
    showAlert({ text }) // the toaster could not be loaded, possibly offline
  }
}

const loadToaster = () => import('../toasts/toaster.tsx')

// The first page rarely has a message, so loading waits. It must happen anyway, in case the connection is lost later.
const whenIdle = (act: () => void) =>
  'requestIdleCallback' in window ? requestIdleCallback(act, { timeout: 5_000 }) : setTimeout(act, 2_000)
