import { router } from '@inertiajs/react'

/** Moves the focus into each new page: what led there is gone, and a screen reader would say nothing and start anywhere. */
export function focusNewPages() {
  let shown: string | undefined
  router.on('navigate', ({ detail: { page } }) => {
    const isNew = shown !== undefined && shown !== page.component
    shown = page.component
    if (isNew) document.querySelector('main')?.focus({ preventScroll: true })
  })
}
