import { useSyncExternalStore } from 'react'

export interface Alert {
  text: string
  action?: { label: string; run(): void }
  /** About the connection, so any response dismisses it. */
  offline?: true
}

let shown: Alert | undefined
const listeners = new Set<() => void>()

/** Shows an error at the top of the page until the next success. */
export function showAlert(alert: Alert | undefined) {
  if (alert === shown) return // the same text again may be about another try
  shown = alert
  for (const listener of listeners) listener()
}

export const dismissAlert = () => showAlert(undefined)
export const isOffline = () => shown?.offline === true
export const dismissOffline = () => isOffline() && dismissAlert()

export const useAlert = () =>
  useSyncExternalStore(
    subscribe,
    () => shown,
    () => undefined,
  )

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
