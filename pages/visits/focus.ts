import { router } from '@inertiajs/react'

/**
 * Moves the focus to the heading of each new page: what led there is gone, and a screen reader would say nothing and start anywhere. A page that
 * has put the focus into a field knows better.
 */
export function focusNewPages() {
  let shown: string | undefined
  router.on('navigate', ({ detail: { page } }) => {
    const isNew = shown !== undefined && shown !== page.component
    shown = page.component
    if (isNew && !document.querySelector('main :focus')) focusHeading()
  })
}

export const focusHeading = () => document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
