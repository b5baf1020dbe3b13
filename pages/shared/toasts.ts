import { router } from '@inertiajs/react'

export interface Toast {
  kind: 'notice' | 'alert'
  text: string
  action?: { label: string; run(): void }
}

/** Shows a message in a corner of the window for a while. */
export async function toast(message: Toast) {
  // Most visits have nothing to say, so what says it is loaded with the first message.
  const { show } = await import('./toaster.tsx')
  show(message)
}

/** Toasts each flash of the server once, when it arrives; `page.flash` would say it again at every render and lose it at a reload. */
export function announceFlashes() {
  router.on('flash', ({ detail: { flash } }) => {
    if (flash.notice) toast({ kind: 'notice', text: flash.notice })
    if (flash.alert) toast({ kind: 'alert', text: flash.alert })
  })
}
