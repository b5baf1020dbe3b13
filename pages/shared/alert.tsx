import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

/** Why something did not happen, where it was tried. It can take the focus, and is announced when it comes. */
export const Alert = ({ children }: { children: ReactNode }) => (
  <div className="alert" role="alert" tabIndex={-1}>
    <CircleAlert className="alert-icon" aria-hidden="true" />
    <div className="alert-text">{children}</div>
  </div>
)
