import { type ReactNode, type RefObject, useId } from 'react'

type Rows = { rows?: RefObject<HTMLUListElement | null> | undefined; children: ReactNode }

export const Rows = ({ rows, children }: Rows) => (
  <ul className="card rows operators-rows" ref={rows}>
    {children}
  </ul>
)

type RowProps = { facts?: ReactNode; action?: ReactNode; children: ReactNode }

export const Row = ({ facts, action, children }: RowProps) => (
  <li className="row" data-row tabIndex={-1}>
    <div className="row-text">{children}</div>
    <div className="facts">{facts}</div>
    {action}
  </li>
)

/** A part of a page: a heading, and rows or what is said without any. */
export function Block({ title, nothing, ...list }: Rows & { title: string; nothing: string | false }) {
  const id = useId()
  return (
    <section className="operators-block" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {nothing ? <p className="muted">{nothing}</p> : <Rows {...list} />}
    </section>
  )
}
