import { router } from '@inertiajs/react'

type Values = Record<string, string>

const key = 'drafts'
const drafts = new Map<string, Values>(Object.entries(stored()))
let comingBack = false

const place = (form: string) => `${location.pathname} ${form}`

export const keepDraft = (form: string, values: Values) => drafts.set(place(form), values)
export const draftOf = (form: string, name: string) => drafts.get(place(form))?.[name]
export const forgetDraft = (form: string) => drafts.delete(place(form))

/** Whether what was typed here before belongs into the form again: after a step back, or a sign-in after a session that ended. */
export const isComingBack = () => comingBack

export function watchForComingBack() {
  window.addEventListener('popstate', () => {
    comingBack = true
  })
  router.on('start', ({ detail: { visit } }) => {
    if (!visit.async && !visit.prefetch) comingBack = false
  })
}

/** For the time without a session, which may begin with a new document. */
export const saveDrafts = () => store(Object.fromEntries(drafts))

/** The person is back. */
export function restoreDrafts() {
  comingBack = true
  store(undefined)
}

export function forgetDrafts() {
  drafts.clear()
  store(undefined)
}

function stored(): Record<string, Values> {
  if (import.meta.env.SSR) return {}
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}')
  } catch {
    return {} // the browser refuses storage: a draft then lives as long as its document
  }
}

function store(drafts: Record<string, Values> | undefined) {
  try {
    if (drafts) sessionStorage.setItem(key, JSON.stringify(drafts))
    else sessionStorage.removeItem(key)
  } catch {
    // as above
  }
}
