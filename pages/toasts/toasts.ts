import { router } from '@inertiajs/react'
import type { Toast } from './toaster.tsx'

/** Shows a message at the foot of the window for a while. */
export async function toast(message: Toast) {
  try {
    const { show } = await loadToaster()
    await show(message)
  } catch {
    window.alert(message.text) // what is said without a connection cannot be loaded then
  }
}

// The first page has rarely anything to say. Whatever the person does next has an answer, so then it is time.
const loadToaster = () => import('./toaster.tsx')

/** Toasts each flash of the server once, when it arrives; `page.flash` would say it again at every render and lose it at a reload. */
export function announceFlashes() {
  router.on('start', () => void loadToaster().catch(() => {}))
  router.on('flash', ({ detail: { flash } }) => {
    if (flash.notice) toast({ kind: 'notice', text: flash.notice })
    if (flash.alert) toast({ kind: 'alert', text: flash.alert })
  })
}
