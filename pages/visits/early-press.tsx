import { type ReactNode, useEffect } from 'react'
import { useHydrated } from '../hooks/hydrated.ts'

declare global {
  interface Window {
    /** Stops noting presses, and returns what was pressed last. See first-script.ts. */
    takePress?(): HTMLElement | undefined
  }
}

/**
 * Repeats a press that came before React listened. From here on, React itself repeats what it is not ready for. No
 * button is left out: what cannot be undone asks first.
 */
export function EarlyPress({ on: pressed, children }: { on: HTMLElement | undefined; children: ReactNode }) {
  const alive = useHydrated()
  useEffect(() => {
    if (alive) pressed?.click()
  }, [alive, pressed])
  return children
}
