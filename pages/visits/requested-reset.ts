import { useSyncExternalStore } from 'react'
import { forget, keep, kept } from './storage.ts'

const name = 'requested-reset'
const lifetime = 20 * 60_000 // milliseconds, as long as the link works

/** The address for which this tab has asked for a new password, as long as its link works. */
export const useRequestedReset = () => useSyncExternalStore(subscribe, current, () => undefined)

// The sign-in page is there before the form knows how it went.
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

export const forgetRequestedReset = () => forget(name)

function current(): string | undefined {
  const { email, at } = JSON.parse(kept(name) ?? '{}')
  return Date.now() - at < lifetime ? email : undefined
}
