import type { ReactNode } from 'react'
import { AlertIcon } from './icons.tsx'

/** Why something did not happen, where it was tried. It can take the focus, and is announced when it comes. */
export const Alert = ({ children }: { children: ReactNode }) => (
  <div className="alert" role="alert" tabIndex={-1}>
    <AlertIcon />
    <div className="alert-text">{children}</div>
  </div>
)
