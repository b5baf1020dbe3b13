import { Fragment, type ReactNode, useRef } from 'react'
import { focusRow } from '../shared/focus-row.ts'
import { Time } from '../shared/time.tsx'
import { rich, t } from '../words/t.ts'

type Props<Item> = { items: Item[]; children(item: Item, onRemoved: () => void): ReactNode }

/** Rows that can be removed one by one, after which the focus stays in the list. */
export function Removable<Item extends { id: number }>({ items, children }: Props<Item>) {
  const rows = useRef<HTMLUListElement>(null)
  return (
    <ul ref={rows}>
      {items.map((item, index) => (
        <Fragment key={item.id}>{children(item, () => focusRow(rows.current, index))}</Fragment>
      ))}
    </ul>
  )
}

export const LastUse = ({ at }: { at: string | null }) =>
  at ? rich('used {time}', { time: <Time at={at} relative /> }) : t('not used yet')
