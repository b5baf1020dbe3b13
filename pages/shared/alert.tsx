import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

export const Alert = ({ children }: { children: ReactNode }) => (
  <div className="alert" role="alert" tabIndex={-1}>
    <CircleAlert className="alert-icon" />
    <div className="alert-text">{children}</div>
  </div>
)
