import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

export const Alert = ({ children }: { children: ReactNode }) => (
  <div className="alert" role="alert" tabIndex={-1}>
    <Icon name="alert" />
    <div className="alert-text">{children}</div>
  </div>
)
