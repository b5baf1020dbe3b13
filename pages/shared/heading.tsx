import type { ReactNode } from 'react'
import { Title } from './title.tsx'

export function Heading({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header className="heading">
      <Title text={title} />
      <h1 dir="auto" id="content" tabIndex={-1}>
        {title}
      </h1>
      {children && <p className="heading-lead">{children}</p>}
    </header>
  )
}
