import { type ComponentProps, cloneElement, type ReactElement, type ReactNode, Suspense, useState } from 'react'
import { useHydrated } from '../hooks/hydrated.ts'

type Button = ReactElement<ComponentProps<'button'>>

type Props = {
  /** The button, before anybody has pressed it. Afterwards the popup renders it, and takes over. */
  trigger: Button
  opens: 'menu' | 'dialog'
  load: () => Promise<unknown>
  onOpen?: () => void
  /** It was open before the document was loaded. */
  opened?: boolean
  /** The popup, open. Its code comes when somebody comes near the button. */
  children: (trigger: Button) => ReactNode
}

/** A button whose popup is neither loaded nor rendered until it is wanted: most are never opened. */
export function Opener({ trigger, opens, load, onOpen, opened = false, children }: Props) {
  const [pressed, setPressed] = useState(opened)
  const wanted = useHydrated() && pressed // a popup is nothing for a server
  const fetchAhead = () => void load().catch(() => {}) // pressing it tries again
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
