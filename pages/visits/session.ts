import { router } from '@inertiajs/react'
import { useSyncExternalStore } from 'react'
import type { AuthProps } from '../../features/auth/props.ts'
import { forgetDrafts, restoreDrafts, saveDrafts } from './drafts.ts'
import { forgetRequestedReset } from './requested-reset.ts'
import { forgetAll, keep, kept } from './storage.ts'

type Page = { component: string; clearHistory?: boolean; props: { auth?: AuthProps } }

// The user of this tab, as far as it knows: the session may have ended elsewhere.
let person: string | undefined
let ended: string | undefined

/** The address of a user whose session ended without signing out here, until someone signs in. */
export const useEndedSession = () =>
  useSyncExternalStore(
    () => () => {},
    () => ended,
    () => undefined,
  )

/**
 * Tracks who is signed in, so that the sign-in page can explain an ended session and nobody sees another user's pages.
 */
export function watchSession(initial: Page | undefined) {
  person = JSON.parse(kept('email') ?? 'null') ?? undefined
  notice(initial)
  router.on('beforeUpdate', ({ detail: { page } }) => notice(page))
  window.addEventListener('pageshow', ({ persisted }) => persisted && router.reload({ only: ['auth'] }))
  // History entries may predate a sign-out, and are encrypted in production only.
  if (isOfAnother(window.history.state)) window.history.replaceState(null, '')
  window.addEventListener('popstate', (event) => {
    if (!isOfAnother(event.state)) return
    event.stopImmediatePropagation() // before the client shows it
    location.reload()
  })
}

function notice(page: Page | undefined) {
  if (!page?.props.auth) return
  const email = page.props.auth.user?.email
  if (page.clearHistory && !email) return leave()
  if (email) return arrive(email)
  if (person && page.component === 'auth/sign-in') {
    ended = person
    saveDrafts()
  }
}

function leave() {
  person = undefined
  ended = undefined
  forgetDrafts()
  forgetAll()
}

function arrive(email: string) {
  if (person && person !== email) leave() // another user of the same browser
  if (ended) restoreDrafts()
  ended = undefined
  forgetRequestedReset()
  person = email
  keep('email', email)
}

function isOfAnother(state: { page?: Partial<Page> } | null) {
  const shown = state?.page?.props?.auth?.user?.email
  return shown !== undefined && shown !== person
}
