import { Plus } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId, useRef } from 'react'
import { FormDialog } from '../popups/with-password.tsx'
import { SmallButton } from '../shared/button.tsx'
import { focusRow } from '../shared/focus.ts'
import { Time } from '../shared/time.tsx'
import { sentenceOf } from '../words/answers.ts'
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
        <li key={item.id} className="row row-plain" tabIndex={-1}>
          <div className="row-text">{text(item)}</div>
          <div className="row-actions">{actions(item, () => focusRow(rows.current, index))}</div>
        </li>
      ))}
    </ul>
  )
}

/** A button for one more, where there are as many as there may be. `why` is what the server would say to it. */
export function NoMore({ why, children }: { why: string; children: ReactNode }) {
  const id = useId()
  return (
    <div className="row-actions">
      <SmallButton disabled aria-describedby={id}>
        {children}
      </SmallButton>
      <p id={id} className="row-note">
        {sentenceOf(why)}
      </p>
    </div>
  )
}

type OneMoreProps = Omit<ComponentProps<typeof FormDialog>, 'title' | 'trigger'> & { isFull: boolean; full: string }

/** A form for one more in a dialog, unless there are as many as there may be. `full` is what the server would say. */
export function OneMore({ isFull, full, ...dialog }: OneMoreProps) {
  const label = (
    <>
      <Plus />
      {dialog.action}
    </>
  )
  if (isFull) return <NoMore why={full}>{label}</NoMore>
  return <FormDialog title={dialog.action} trigger={<SmallButton>{label}</SmallButton>} {...dialog} />
}

export const LastUse = ({ at }: { at: string | null }) =>
  at ? rich('used {time}', { time: <Time at={at} relative /> }) : t('not used yet')
