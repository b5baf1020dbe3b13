import { type RefObject, useEffect } from 'react'
import type { Path } from '../../features/paths.ts'
import { draftOf, forgetDraft, isComingBack, keepDraft } from '../visits/drafts.ts'

/** What is typed into a form, kept in this tab until it is sent, and put back when somebody comes back to it. */
export function useDraft({ method, url }: Path, fields: RefObject<HTMLElement | null>, round: number) {
  const form = `${method} ${url}`

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that the form begins
  useEffect(() => {
    if (!isComingBack() || !fields.current) return
    for (const input of inputsIn(fields.current)) putBack(input, draftOf(form, input.name))
  }, [round])

  return {
    keep: () => fields.current && keepDraft(form, valuesOf(inputsIn(fields.current))),
    forget: () => forgetDraft(form),
  }
}

// Passwords and codes are kept nowhere, and hidden fields belong to the page.
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

function putBack(input: HTMLInputElement, value: string | undefined) {
  if (value === undefined) return
  if (isChoice(input)) input.checked = input.value === value
  else if (input.value !== value) {
    input.value = value
    input.dispatchEvent(new Event('input', { bubbles: true })) // the form counts what has changed
  }
}
