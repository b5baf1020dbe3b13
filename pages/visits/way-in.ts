import { useSyncExternalStore } from 'react'
import { forget, keep, kept } from './storage.ts'

// In this browser rather than of a person: it tells nobody who signed in.
const name = 'way-in'
const never = () => () => {}

/** How someone signed in with this browser last: `password`, `passkey` or the id of a provider. */
export const useLastWayIn = () => useSyncExternalStore(never, last, () => null)

function last() {
  try {
    return localStorage.getItem(name)
  } catch {
    return null // storage is blocked
  }
}

export function rememberWayIn(way: string) {
  try {
    localStorage.setItem(name, way)
  } catch {}
}

/** For a provider, where it is known only on the way back whether it worked. */
export const tryWayIn = (way: string) => keep(name, way)

export function confirmWayIn() {
  const way = kept(name)
  if (!way) return
  rememberWayIn(JSON.parse(way))
  forget(name)
}
