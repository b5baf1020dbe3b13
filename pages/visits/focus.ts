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

const focusHeading = () => document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })

/** For a row that is about to go: what to call when it has, so that the focus is on its neighbour. */
export function focusInstead(row: Element | null) {
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling
  return () => (neighbour instanceof HTMLElement ? neighbour.focus({ preventScroll: true }) : focusHeading())
}
