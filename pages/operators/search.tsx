import type { KeyboardEvent, ReactNode } from 'react'
import { focusAtOnce } from '../shared/focus.ts'
import { More } from '../shared/more.tsx'
import { SearchBox, useSearchAsTyped } from '../shared/search.tsx'
import { t } from '../words/t.ts'
import { Rows } from './rows.tsx'

const pauseMs = 400 // longer than elsewhere, since each search is logged

type Props = { of: 'users' | 'accounts'; q: string; label: string; shown: number; children: ReactNode }

/** A search that has the focus, and what it found: arrows lead from one to the next, Enter opens it. */
export function SearchedList({ of, q, label, shown, children }: Props) {
  const form = useSearchAsTyped({ filters: { q }, lists: [of], pauseMs })

  return (
    <search className="list-search" onKeyDown={moveFocus}>
      <form {...form}>
        <SearchBox label={label} value={q} ref={focusAtOnce} />
      </form>
      <p className="list-hint" role="status">
        {shown === 0 && (q ? t('Nothing begins like this.') : t('Nothing yet.'))}
      </p>
      {shown > 0 && <Rows>{children}</Rows>}
      <More of={of} shown={shown} />
    </search>
  )
}

function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, [data-row] a')]
  const at = stops.findIndex(
    (stop) => stop === document.activeElement || stop.closest('[data-row]') === document.activeElement,
  )
  if (step === undefined || at < 0) return
  event.preventDefault()
  stops[at + step]?.focus()
}
