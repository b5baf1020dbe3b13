import { useSyncExternalStore } from 'react'

const key = 'requested-reset'
const lifetime = 20 * 60_000 // milliseconds, as long as the link works

/** The address for which this tab has asked for a new password, as long as its link works. */
export const useRequestedReset = () => useSyncExternalStore(subscribe, current, () => undefined)

const listeners = new Set<() => void>()
function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const rememberRequestedReset = (email: string) => change(JSON.stringify({ email, at: Date.now() }))
export const forgetRequestedReset = () => change(undefined)

function change(value: string | undefined) {
  try {
    if (value) sessionStorage.setItem(key, value)
    else sessionStorage.removeItem(key)
  } catch {
    // The browser refuses storage: then the page does not remember it, and the mail comes all the same.
  }
  for (const listener of listeners) listener()
}

function current(): string | undefined {
  try {
    const { email, at } = JSON.parse(sessionStorage.getItem(key) ?? '{}')
    return Date.now() - at < lifetime ? email : undefined
  } catch {
    return undefined
  }
}
