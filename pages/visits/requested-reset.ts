import { useSyncExternalStore } from 'react'
import { forget, keep, kept } from './storage.ts'

const name = 'requested-reset'
const lifetime = 20 * 60_000 // milliseconds, the lifetime of the link

/** The address for which this tab has requested a password reset, while the link works. */
export const useRequestedReset = () => useSyncExternalStore(subscribe, current, () => undefined)

// The sign-in page renders before the form's callback runs.
let told = () => {}
function subscribe(listener: () => void) {
  told = listener
  return () => {
    told = () => {}
  }
}

export function rememberRequestedReset(email: string) {
  keep(name, { email, at: Date.now() })
  told()
}

export function forgetRequestedReset() {
  forget(name)
  told()
}

function current(): string | undefined {
  const { email, at } = JSON.parse(kept(name) ?? '{}')
  return Date.now() - at < lifetime ? email : undefined
}
