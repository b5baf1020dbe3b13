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

/** For what goes away with the focus in it, and has no neighbour that could get it. */
export const focusHeading = () => focus(document.querySelector('h1'))

/** For a row or button that will be removed: returns a function that then focuses its neighbour. */
export function focusInstead(row: Element | null) {
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling
  return () => (neighbour ? focus(neighbour) : focusHeading())
}

/** For a row that was removed together with its dialog: focuses the one in its place, or else the last one. */
export function focusRow(rows: Element | null, index: number) {
  const row = rows?.children[index] ?? rows?.lastElementChild
  if (row) focus(row)
  else focusHeading()
}

/** Leaves a field alone that somebody has gone to meanwhile. */
function focus(element: Element | null) {
  const isInField = document.activeElement?.matches('input, select, textarea')
  if (!isInField && element instanceof HTMLElement) element.focus({ preventScroll: true })
}
