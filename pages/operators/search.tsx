import { router } from '@inertiajs/react'
import { Search as Magnifier } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type SubmitEvent, useEffect, useRef } from 'react'
import { focusAtOnce } from '../shared/focus.ts'
import { More } from '../shared/more.tsx'
import { Day } from '../shared/time.tsx'
import { t } from '../words/t.ts'
import { Rows } from './rows.tsx'

const pauseMs = 400 // to wait for more typing, since each search is logged

type Props = { of: 'users' | 'accounts'; q: string; label: string; shown: number; children: ReactNode }

/** A search that has the focus, and what it found: arrows lead from one to the next, Enter opens it. */
export function SearchedList({ of, q, label, shown, children }: Props) {
  const rows = useRef<HTMLUListElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const look = (form: HTMLFormElement) => {
    clearTimeout(timer.current)
    const wanted = String(new FormData(form).get('q')).trim()
    if (wanted === q) return
    const options = { only: [of, 'q'], reset: [of], preserveState: true, replace: true, showProgress: false }
    router.get(location.pathname, wanted ? { q: wanted } : {}, options)
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    look(event.currentTarget)
  }

  return (
    <search className="list-search" onKeyDown={moveFocus}>
      <form
        onSubmit={submit}
        onInput={({ currentTarget }) => {
          clearTimeout(timer.current)
          timer.current = setTimeout(look, pauseMs, currentTarget)
        }}
      >
        <label className="search-box">
          <span className="visually-hidden">{label}</span>
          <Magnifier aria-hidden="true" />
          <input
            type="search"
            name="q"
            dir="auto"
            defaultValue={q}
            placeholder={label}
            autoComplete="off"
            ref={focusAtOnce}
          />
        </label>
      </form>
      <p className="list-hint" role="status">
        {shown === 0 && (q ? t('Nothing begins like this.') : t('Nothing yet.'))}
      </p>
      {shown > 0 && <Rows rows={rows}>{children}</Rows>}
      <More of={of} shown={shown} rows={rows} />
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

export const Origin = ({ id, at }: { id: number; at: string }) => (
  <>
    <span>{id}</span>
    <span>
      <Day at={at} />
    </span>
  </>
)
