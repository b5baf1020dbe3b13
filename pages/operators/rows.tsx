import { Link } from '@inertiajs/react'
import { Fragment, type ReactNode, useId } from 'react'
import type { Path } from '../../features/paths.ts'
import { Facts } from '../shared/facts.tsx'
import { Name } from '../shared/name.ts'

export const Rows = ({ children }: { children: ReactNode }) => <ul className="card rows operators-rows">{children}</ul>

type RowProps = { text: ReactNode; action?: ReactNode; children: ReactNode }

/** What a row is about, and as children facts of it. */
export const Row = ({ text, action, children }: RowProps) => (
  <li className="row" data-row tabIndex={-1}>
    <div className="row-text">{text}</div>
    <Facts>{children}</Facts>
    {action}
  </li>
)

type TargetProps = { to: Path; name: string; address?: string; badges?: string[] }

/** The user or workspace that a row leads to. */
export const Target = ({ to, name, address, badges = [] }: TargetProps) => (
  <>
    <p>
      <Link href={to.url}>
        <Name>{name}</Name>
      </Link>
      {badges.map((badge) => (
        <Fragment key={badge}>
          {' '}
          <span className="badge badge-open">{badge}</span>
        </Fragment>
      ))}
    </p>
    {address && <bdi>{address}</bdi>}
  </>
)

type BlockProps = { title: string; nothing: string | false; more?: ReactNode; children: ReactNode }

/** A part of a page: a heading, and rows or what is said without any. */
export function Block({ title, nothing, more, children }: BlockProps) {
  const id = useId()
  return (
    <section className="operators-block" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {nothing ? <p className="muted">{nothing}</p> : <Rows>{children}</Rows>}
      {more}
    </section>
  )
}
