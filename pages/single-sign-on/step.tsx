import { Check, ChevronDown } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'

type Props = {
  number: number
  title: string
  state: 'done' | 'now' | 'later'
  /** Whether something in it still waits, though the step is done. */
  waits?: boolean
  /** What came of it, while it is folded. */
  summary?: ReactNode
  children: ReactNode
}

/** A step that unfolds when it is its turn. It stays open once it is done, or what somebody looks at would jump. */
export function Step({ number, title, state, waits = false, summary, children }: Props) {
  const [isOpen, setOpen] = useState(state === 'now' || waits)
  useEffect(() => {
    if (state === 'now') setOpen(true)
  }, [state])

  return (
    <details
      className="card step"
      data-state={state}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <span className="step-mark" aria-hidden="true">
          {state === 'done' ? <Check className="step-check" /> : number}
        </span>
        <h2>{title}</h2>
        <ChevronDown className="step-fold" aria-hidden="true" />
        {summary && <span className="step-summary">{summary}</span>}
      </summary>
      <div className="padded">{children}</div>
    </details>
  )
}
