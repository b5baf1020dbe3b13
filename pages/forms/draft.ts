import type { Path } from '../../features/paths.ts'
import { draftOf, keepDraft } from '../visits/drafts.ts'

/** Keeps a form's input in this tab until it is submitted. */
export const keepTyped = (to: Path, fields: HTMLElement) => keepDraft(to, valuesOf(inputsIn(fields)))

/** Restores the input for a person who returns to the form. */
export function putBack(to: Path, fields: HTMLElement) {
  for (const input of inputsIn(fields)) fillIn(input, draftOf(to, input.name))
}

// Passwords and codes are never kept, and hidden fields belong to the page.
const inputsIn = (fields: HTMLElement) =>
  [...fields.querySelectorAll<HTMLInputElement>('input[name]')].filter(
    ({ type, autocomplete }) =>
      type !== 'hidden' && type !== 'password' && !/password|one-time-code|off/.test(autocomplete),
  )

const isChoice = ({ type }: HTMLInputElement) => type === 'radio' || type === 'checkbox'

const valuesOf = (inputs: HTMLInputElement[]) =>
  Object.fromEntries(
    inputs.filter((input) => !isChoice(input) || input.checked).map(({ name, value }) => [name, value]),
  )

function fillIn(input: HTMLInputElement, value: string | undefined) {
  if (value === undefined) return
  if (isChoice(input)) input.checked = input.value === value
  else if (input.value !== value) {
    input.value = value
    input.dispatchEvent(new Event('input', { bubbles: true })) // the form tracks changes by this event
  }
}
