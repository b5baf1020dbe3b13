import { type ReactNode, type RefObject, useId } from 'react'

type Props = { title: string; nothing: ReactNode; rows?: RefObject<HTMLUListElement | null>; children: ReactNode }

/** A part of a page: a heading, and rows or what is said without any. */
export function Block({ title, nothing, rows, children }: Props) {
  const id = useId()
  return (
    <section className="operators-block" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {nothing ? (
        <p className="muted">{nothing}</p>
      ) : (
        <ul className="card rows operators-rows" ref={rows}>
          {children}
        </ul>
      )}
    </section>
  )
}
