import { type ReactNode, useEffect } from 'react'

/** Lets people press once the page has what only the browser knows, such as the methods of its forms. */
export function Started({ children }: { children: ReactNode }) {
  useEffect(() => {
    const timer = setTimeout(() => window.start())
    return () => clearTimeout(timer)
  }, [])
  return children
}
