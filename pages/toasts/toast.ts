import { loadSignedIn } from '../load-signed-in.ts'
import { dismissAlert, showAlert } from '../visits/alerts.ts'

export interface Toast {
  text: string
  /** Such as undo. The message stays longer. */
  action?: { label: string; run(): void } | undefined
  /** Informational, not a success. */
  isNeutral?: boolean
}

export const clearToasts = () => loadSignedIn().then(({ closeToasts }) => closeToasts())

export async function toast(text: string, options: Omit<Toast, 'text'> = {}) {
  dismissAlert()
  try {
    const { showToast } = await loadSignedIn()
    await showToast({ text, ...options })
  } catch {
    showAlert({ text }) // it could not be loaded, possibly offline
  }
}
