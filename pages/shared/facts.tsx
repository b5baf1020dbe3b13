import { Children, type ReactNode } from 'react'

/** Facts beside each other, with a dot before each but the first of a line. The title stands out from them. */
export const Facts = ({ title, children }: { title?: ReactNode; children: ReactNode }) => (
  <span className="facts">
    {title && <strong>{title}</strong>}
    {Children.map(children, (fact) => fact && <span>{fact}</span>)}
  </span>
)
