import { type ComponentProps, cloneElement, type ReactElement, type ReactNode, Suspense, useState } from 'react'
import { useHydrated } from '../hooks/hydrated.ts'

type Button = ReactElement<ComponentProps<'button'>>

type Props = {
  /** The button before its first press. After that, the popup renders it. */
  trigger: Button
  opens: 'menu' | 'dialog'
  load: () => Promise<unknown>
  onOpen?: () => void
  /** Open from the start, for example after a full reload. */
  opened?: boolean
  /** Renders the open popup. Its code is loaded when the pointer or focus reaches the button. */
  children: (trigger: Button) => ReactNode
}

/** A button whose popup is loaded and rendered only when needed, since most are never opened. */
export function Opener({ trigger, opens, load, onOpen, opened = false, children }: Props) {
  const [pressed, setPressed] = useState(opened)
  const wanted = useHydrated() && pressed // popups are not rendered on the server
  const fetchAhead = () => void load().catch(() => {}) // pressing the button retries
  const open = () => {
    setPressed(true)
    onOpen?.()
  }

  const button = cloneElement(trigger, {
    'aria-haspopup': opens,
    'aria-expanded': false,
    onPointerEnter: fetchAhead,
    onFocus: fetchAhead,
    onClick: open,
  })
  return wanted ? <Suspense fallback={button}>{children(trigger)}</Suspense> : button
}
