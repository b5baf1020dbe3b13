import { focus, focusHeading } from './focus.ts'

export function focusInstead(row: Element | null) {
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling
  return () => (neighbour ? focus(neighbour) : focusHeading())
}

export function focusRow(rows: Element | null, index: number) {
  const row = rows?.children[index] ?? rows?.lastElementChild
  if (row) focus(row)
  else focusHeading()
}
