import type { Path } from '../../features/paths.ts'
import { draftOf, keepDraft } from '../visits/drafts.ts'

/** Keeps a form's input in this tab until it is submitted. */
export const keepTyped = (to: Path, fields: HTMLElement) => keepDraft(to, valuesOf(inputsIn(fields)))

export function putBack(to: Path, fields: HTMLElement) {
  for (const input of inputsIn(fields)) fillIn(input, draftOf(to, input.name))
}

type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

// Passwords and codes are never kept, and hidden fields belong to the page.
const inputsIn = (fields: HTMLElement) =>
  [...fields.querySelectorAll<Input>('input[name], select[name], textarea[name]')].filter(
    ({ type, autocomplete }) =>
      type !== 'hidden' && type !== 'password' && !/password|one-time-code|off/.test(autocomplete),
  )

const isBox = (input: Input): input is HTMLInputElement => input.type === 'radio' || input.type === 'checkbox'

const valuesOf = (inputs: Input[]) =>
  Object.fromEntries(
    inputs
      .filter((input) => input.type !== 'radio' || (isBox(input) && input.checked))
      .map((input) => [input.name, isBox(input) && !input.checked ? '' : input.value]),
  )

function fillIn(input: Input, value: string | undefined) {
  if (value === undefined) return
  if (isBox(input)) input.checked = input.value === value
  else if (input.value !== value) {
    input.value = value
    input.dispatchEvent(new Event('input', { bubbles: true })) // the form tracks changes by this event
  }
}
