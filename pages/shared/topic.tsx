import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'

type Props = {
  icon: LucideIcon
  title: ReactNode
  explanation?: ReactNode
  more?: ReactNode
  action?: ReactNode
} & Omit<ComponentProps<'section'>, 'title'>

/** A card about one thing: what it is, what can be done about it, and as children the rows that belong to it. */
export const Topic = ({ icon: Icon, title, explanation, more, action, children, ...section }: Props) => (
  <section className="card" {...section}>
    <div className="row">
      <Icon className="row-icon" />
      <div className="row-text">
        <h2>{title}</h2>
        {explanation && <span>{explanation}</span>}
        {more}
      </div>
      {action}
    </div>
    {children}
  </section>
)
