import { useSyncExternalStore } from 'react'

export interface Alert {
  text: string
  action?: { label: string; run(): void }
  /** It is about the connection, so that any answer takes it away. */
  offline?: true
}

let shown: Alert | undefined
const listeners = new Set<() => void>()

/** Says what went wrong, at the head of the page, until something goes right. */
export function showAlert(alert: Alert | undefined) {
  if (alert?.text === shown?.text) return
  shown = alert
  for (const listener of listeners) listener()
}

export const dismissAlert = () => showAlert(undefined)
export const dismissOffline = () => shown?.offline && dismissAlert()

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
