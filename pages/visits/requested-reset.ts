import { useSyncExternalStore } from 'react'
import { forget, keep, kept } from './storage.ts'

const name = 'requested-reset'
const lifetime = 20 * 60_000 // milliseconds, the lifetime of the link

/** The address for which this tab has requested a password reset, while the link works. */
export const useRequestedReset = () => useSyncExternalStore(subscribe, current, () => undefined)

// The sign-in page renders before the form's callback runs.
let notify = () => {}
function subscribe(listener: () => void) {
  notify = listener
  return () => {
    notify = () => {}
  }
}

export function rememberRequestedReset(email: string) {
  keep(name, { email, at: Date.now() })
  notify()
}

export function forgetRequestedReset() {
  forget(name)
  notify()
}

function current(): string | undefined {
  const { email, at } = JSON.parse(kept(name) ?? '{}')
  return Date.now() - at < lifetime ? email : undefined
}
