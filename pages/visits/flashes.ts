import { http } from '@inertiajs/core'
import { router } from '@inertiajs/react'
import type { AuthProps, UserProps } from '../../features/auth/props.ts'
import { comeBack, deadLink, sentenceOf, spentLink, tooFast } from '../words/answers.ts'
import { dismissAlert, dismissOffline, showAlert } from './alerts.ts'
import { isInBackground } from './background.ts'

type Flash = { notice?: string; alert?: string }
type Initial = { flash?: Flash; props: { auth?: AuthProps } }

let retryAfter = 0
let user: UserProps | null | undefined
const taken = new Set<string>()

/** Says each flash of the server once, when it arrives: a notice in passing, an alert until something goes right. */
export function announceFlashes(initial: Initial | undefined) {
  http.onResponse((response) => {
    retryAfter = Number(response.headers['retry-after'] ?? 0)
    return response
  })
  user = initial?.props.auth?.user
  tell(initial?.flash ?? {}) // there at once, as the server may have rendered it
  router.on('beforeUpdate', ({ detail: { page } }) => {
    user = page.props.auth?.user
  })
  router.on('success', ({ detail: { visitId } }) => (isInBackground(visitId) ? dismissOffline() : dismissAlert()))
  router.on('flash', ({ detail: { flash } }) => {
    // Whoever asked hears it first, and may say it elsewhere.
    setTimeout(() => {
      if (!taken.delete('notice') && flash.notice) toast(sentenceOf(flash.notice))
      if (!taken.delete('alert')) tell(flash)
      taken.clear()
    })
  })
  whenIdle(() => void loadToaster().catch(() => {}))
}

/** The flash that has just arrived is said by whoever asked for it, and nowhere else. */
export const take = (kind: keyof Flash) => taken.add(kind)

/** What an alert says to a person, who may be known. */
export function alertText(alert: string, user?: UserProps | null) {
  if (alert === tooFast && retryAfter > 0) return comeBack(retryAfter)
  return alert === deadLink && user?.verified ? spentLink : sentenceOf(alert)
}

const tell = ({ alert }: Flash) => alert && showAlert({ text: alertText(alert, user) })

/** Says at the foot of the window that something went right. */
export async function toast(text: string, action?: { label: string; run(): void }) {
  dismissAlert()
  try {
    const { show } = await loadToaster()
    await show({ text, ...(action && { action }) })
  } catch {
    showAlert({ text }) // what is said without a connection may not be loaded
  }
}

const loadToaster = () => import('../toasts/toaster.tsx')

// The first page has rarely anything to say, so it does not wait for this. Whoever loses the connection later has it.
const whenIdle = (act: () => void) =>
  'requestIdleCallback' in window ? requestIdleCallback(act, { timeout: 5_000 }) : setTimeout(act, 2_000)
