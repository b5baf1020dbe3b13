import type { ReactNode } from 'react'
import { AlertIcon } from './icons.tsx'

/** An error message, shown where the action was tried. Focusable, and announced when it appears. */
export const Alert = ({ children }: { children: ReactNode }) => (
  <div className="alert" role="alert" tabIndex={-1}>
    <AlertIcon />
    <div className="alert-text">{children}</div>
  </div>
)
