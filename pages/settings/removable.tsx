import { type ReactNode, useRef } from 'react'
import { focusRow } from '../shared/focus.ts'
import { Time } from '../shared/time.tsx'
import { rich, t } from '../words/t.ts'

type Props<Item> = {
  items: Item[]
  text(item: Item): ReactNode
  actions(item: Item, onRemoved: () => void): ReactNode
}

/** Rows that can be removed one by one, after which the focus stays in the list. */
export function Removable<Item extends { id: number }>({ items, text, actions }: Props<Item>) {
  const rows = useRef<HTMLUListElement>(null)
  return (
    <ul ref={rows}>
      {items.map((item, index) => (
        <li key={item.id} className="row row-plain passkey" tabIndex={-1}>
          <div className="row-text">{text(item)}</div>
          <div className="row-actions">{actions(item, () => focusRow(rows.current, index))}</div>
        </li>
      ))}
    </ul>
  )
}

export const LastUse = ({ at }: { at: string | null }) =>
  at ? rich('used {time}', { time: <Time at={at} relative /> }) : t('not used yet')
