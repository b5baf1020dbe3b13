import { asTyped } from '../forms/field.tsx'
import { domainMeant, issuerMeant } from './meant.ts'

/** Of a field that shows, and sends, what was meant: once it is pasted, and before it is left or sent. */
const understood = (meant: (typed: string) => string) => (input: HTMLInputElement | null) => {
  if (!input) return
  const understand = () => {
    const value = meant(input.value)
    if (value === input.value) return
    input.value = value
    input.dispatchEvent(new Event('input', { bubbles: true })) // the form tracks changes by this event
  }
  const listening = new AbortController()
  input.addEventListener('change', understand, listening)
  input.addEventListener('input', (event) => isPaste(event) && understand(), listening)
  return () => listening.abort()
}

const isPaste = (event: Event) => event instanceof InputEvent && event.inputType === 'insertFromPaste'

export const asDomain = { ...asTyped, ref: understood(domainMeant) }
export const asIssuer = { ...asTyped, ref: understood(issuerMeant) }
