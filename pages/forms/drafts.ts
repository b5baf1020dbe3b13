import type { Path } from '../../features/paths.ts'
import { onVisit } from '../visits/own-visits.ts'
import { forget, keep, kept } from '../visits/storage.ts'

type Draft = Record<string, string>

// What is typed into each form until it succeeds. The first access to the storage blocks, so it waits for the first
// need.
let drafts: Map<string, Draft> | undefined
const all = () => {
  drafts ??= new Map<string, Draft>(Object.entries(JSON.parse(kept('drafts') ?? '{}')))
  return drafts
}
let isComingBack = false

const keyOf = ({ method, url }: Path) => `${method} ${url}`

export const keepDraft = (form: Path, fields: HTMLElement) => all().set(keyOf(form), draftIn(fields))
export const forgetDraft = (form: Path) => all().delete(keyOf(form))
export const forgetDrafts = () => all().clear()

/** Fills in what was typed before, for someone who comes back to the form. */
export function putBack(form: Path, fields: HTMLElement) {
  const draft = isComingBack ? all().get(keyOf(form)) : undefined
  for (const input of inputsIn(fields)) fillIn(input, draft?.[nameOf(input)])
}

export function watchForComingBack() {
  window.addEventListener('popstate', () => {
    isComingBack = true
  })
  onVisit(() => {
    isComingBack = false
  })
}

/** Saves drafts until the next sign-in, which may be in a new document. */
export const saveDrafts = () => keep('drafts', Object.fromEntries(all()))

export function restoreDrafts() {
  isComingBack = true
  all() // has them from now on
  forget('drafts')
}

type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

// Passwords and codes are never kept, and hidden fields belong to the page.
const inputsIn = (fields: HTMLElement) =>
  [...fields.querySelectorAll<Input>('input[name], select[name], textarea[name]')].filter(
    ({ type, autocomplete }) =>
      type !== 'hidden' && type !== 'password' && !/password|one-time-code|off/.test(autocomplete),
  )

const isBox = (input: Input): input is HTMLInputElement => input.type === 'radio' || input.type === 'checkbox'
const nameOf = (input: Input) => (isBox(input) ? `${input.name}=${input.value}` : input.name)

const draftIn = (fields: HTMLElement): Draft =>
  Object.fromEntries(
    inputsIn(fields).map((input) => [nameOf(input), isBox(input) ? String(input.checked) : input.value]),
  )

function fillIn(input: Input, value: string | undefined) {
  if (value === undefined) return
  if (isBox(input)) input.checked = value === 'true'
  else if (input.value !== value) {
    input.value = value
    input.dispatchEvent(new Event('input', { bubbles: true })) // the form tracks changes by this event
  }
}
