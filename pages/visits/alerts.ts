import { storeOf } from '../hooks/store.ts'

export interface Alert {
  text: string
  action?: { label: string; run(): void }
  /** About the connection, so any response dismisses it. */
  offline?: true
}

let shown: Alert | undefined
const store = storeOf(() => shown, undefined)

/** Shows an error at the top of the page until the next success. */
export function showAlert(alert: Alert | undefined) {
  shown = alert
  store.changed()
}

export const dismissAlert = () => showAlert(undefined)
export const dismissOffline = () => shown?.offline && dismissAlert()
export const useAlert = () => store.use()
