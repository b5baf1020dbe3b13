import type { ReactNode } from 'react'
import { AlertIcon } from './icons.tsx'

export const Alert = ({ children }: { children: ReactNode }) => (
  <div className="alert" role="alert" tabIndex={-1}>
    <AlertIcon />
    <div className="alert-text">{children}</div>
  </div>
)
