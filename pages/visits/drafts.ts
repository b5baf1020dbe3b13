import type { Path } from '../../features/paths.ts'
import { lazily } from '../words/lazily.ts'
import { onVisit } from './own-visits.ts'
import { forget, keep, kept } from './storage.ts'

type Values = Record<string, string>

// The first access to the storage blocks, so it is deferred while the page starts.
const drafts = lazily(() => new Map<string, Values>(Object.entries(JSON.parse(kept('drafts') ?? '{}'))))
let comingBack = false

const place = ({ method, url }: Path) => `${method} ${url}`

/** Starts a draft of the form. Without it, nothing is kept: the form may have succeeded meanwhile. */
export const beginDraft = (form: Path) => drafts().has(place(form)) || drafts().set(place(form), {})

export const keepDraft = (form: Path, values: Values) => drafts().has(place(form)) && drafts().set(place(form), values)
export const draftOf = (form: Path, name: string) => drafts().get(place(form))?.[name]
export const forgetDraft = (form: Path) => drafts().delete(place(form))

export const isComingBack = () => comingBack

export function watchForComingBack() {
  window.addEventListener('popstate', () => {
    comingBack = true
  })
  onVisit(() => {
    comingBack = false
  })
}

/** Saves drafts until the next sign-in, which may be in a new document. */
export const saveDrafts = () => keep('drafts', Object.fromEntries(drafts()))

export function restoreDrafts() {
  comingBack = true
  drafts() // has them from now on
  forget('drafts')
}

export const forgetDrafts = () => drafts().clear()
