import { router } from '@inertiajs/react'

/**
 * Focuses the heading of each new page. Otherwise, the focus would be lost with the old page and screen readers would
 * announce nothing. Pages that focus a field themselves are left alone.
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

/** For a row that will be removed: returns a function that then focuses its neighbour. */
export function focusInstead(row: Element | null) {
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling
  return () => (neighbour instanceof HTMLElement ? neighbour.focus({ preventScroll: true }) : focusHeading())
}
