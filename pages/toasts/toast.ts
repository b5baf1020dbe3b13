import { dismissAlert, showAlert } from '../visits/alerts.ts'
import type { Toast } from './toaster.tsx'

export const clearToasts = () => import('./toaster.tsx').then(({ closeToasts }) => closeToasts())

export async function toast(text: string, options: Omit<Toast, 'text'> = {}) {
  dismissAlert()
  try {
    const { show } = await import('./toaster.tsx')
    await show({ text, ...options })
  } catch {
    showAlert({ text }) // it could not be loaded, possibly offline
  }
}
