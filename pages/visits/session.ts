import { router } from '@inertiajs/react'
import type { AuthProps } from '../../features/auth/props.ts'
import { forgetNews } from '../auth/news.tsx'
import { forgetDrafts, restoreDrafts, saveDrafts } from '../forms/drafts.ts'
import { storeOf } from '../hooks/store.ts'
import { showPageOf } from './requests.ts'
import { forgetAll, keep, kept } from './storage.ts'

type Page = { component: string; clearHistory?: boolean; flash?: { notice?: string }; props: { auth?: AuthProps } }

type Person = { id: number; email: string }

// The user of this tab, as far as it knows: the session may have ended elsewhere.
let person: Person | undefined
let ended: string | undefined
// The page comes from the history instead of the server.
let isRestored = false

/** The address of a user whose session ended without signing out here, until someone signs in. */
export const { use: useEndedSession } = storeOf(() => ended, undefined)

/**
 * Tracks who is signed in, so that the sign-in page can explain an ended session and nobody sees another user's pages.
 */
export function watchSession(initial: Page | undefined) {
  person = JSON.parse(kept('person') ?? 'null') ?? undefined
  notice(initial)
  router.on('before', () => {
    isRestored = false
  })
  router.on('beforeUpdate', ({ detail: { page } }) => notice(page))
  router.on('navigate', ({ detail: { page } }) => {
    // Someone who signed in meanwhile would see a form again.
    const { component, props } = page as Page
    if (isRestored && person && component.startsWith('auth/') && !props.auth?.user) location.reload()
  })
  window.addEventListener('pageshow', ({ persisted }) => persisted && router.reload({ only: ['auth'] }))
  // The document is newer than what the history kept of it, which may be another person's, or from before a deployment.
  window.history.replaceState({ ...window.history.state, page: undefined }, '')
  window.addEventListener('popstate', (event) => {
    isRestored = true
    if (!isOfAnother(event.state)) return
    event.stopImmediatePropagation() // before the client shows it
    location.reload()
  })
}

function notice(page: Page | undefined) {
  if (!page?.props.auth) return
  showPageOf(page.component, page.props.auth)
  const { user } = page.props.auth
  // A notice says why: the person signed out or set a new password here, and nothing ended behind their back.
  if (!user && (page.clearHistory || (page.component === 'auth/sign-in' && page.flash?.notice))) return leave()
  if (user) return arrive(user)
  if (person && page.component === 'auth/sign-in') {
    ended = person.email
    saveDrafts()
    router.clearHistory()
  }
}

function leave() {
  person = undefined
  ended = undefined
  forgetDrafts()
  forgetAll()
  router.clearHistory()
}

function arrive({ id, email }: Person) {
  if (person && person.id !== id) leave() // another user of the same browser
  if (ended) restoreDrafts()
  ended = undefined
  forgetNews()
  person = { id, email }
  keep('person', person)
}

function isOfAnother(state: { page?: Partial<Page> } | null) {
  const shown = state?.page?.props?.auth?.user?.id
  return shown !== undefined && (ended !== undefined || shown !== person?.id)
}
