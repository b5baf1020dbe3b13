import { useSyncExternalStore } from 'react'

function subscribe(changed: () => void) {
  window.addEventListener('hashchange', changed)
  return () => window.removeEventListener('hashchange', changed)
}

/** The part of the page that its URL names, also if somebody types another. Visits of the page may take it away. */
export const useFragment = () =>
  useSyncExternalStore(
    subscribe,
    () => location.hash.slice(1),
    () => '',
  )
