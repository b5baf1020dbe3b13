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

/** A ref for what is to be read first once it is there. */
export function focusAtOnce(element: HTMLElement | null) {
  element?.focus()
  // A dialog that asked for it gives the focus back to its button as it closes.
  const timer = setTimeout(() => element?.focus())
  return () => clearTimeout(timer)
}

export const focusHeading = () => focus(document.querySelector('h1'))

function focus(element: Element | null) {
  const isInField = document.activeElement?.matches('input, select, textarea')
  if (!isInField && element instanceof HTMLElement) element.focus({ preventScroll: true })
}

export function focusInstead(row: Element | null) {
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling
  return () => (neighbour ? focus(neighbour) : focusHeading())
}

export function focusRow(rows: Element | null, index: number) {
  const row = rows?.children[index] ?? rows?.lastElementChild
  if (row) focus(row)
  else focusHeading()
}
