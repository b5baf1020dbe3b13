import {
  type ComponentProps,
  cloneElement,
  type ReactElement,
  type ReactNode,
  Suspense,
  useEffect,
  useEffectEvent,
  useState,
} from 'react'
import { explainMissingPart } from '../visits/chunks.ts'

type Button = ReactElement<ComponentProps<'button'>>

type Props = {
  /** The button before its first press. After that, the popup renders it. */
  trigger: Button
  opens: 'menu' | 'dialog'
  load: () => Promise<unknown>
  /** Open from the start, for example after a full reload. */
  opened?: boolean
  /** Renders the open popup. Its code is loaded when the pointer or focus reaches the button. */
  children: (trigger: Button) => ReactNode
}

/** A button whose popup is loaded and rendered only when needed, since most are never opened. */
export function Opener({ trigger, opens, load, opened = false, children }: Props) {
  const [loaded, setLoaded] = useState(false)
  const fetchAhead = () => void load().catch(() => {}) // pressing the button retries
  // Rendered once its code is there: what cannot be rendered would take the whole page with it.
  const open = () => load().then(() => setLoaded(true), explainMissingPart)
  const openAtOnce = useEffectEvent(() => opened && void open())
  useEffect(() => void openAtOnce(), [])

  const button = cloneElement(trigger, {
    'aria-haspopup': opens,
    'aria-expanded': false,
    onPointerEnter: fetchAhead,
    onFocus: fetchAhead,
    onClick: open,
  })
  return loaded ? <Suspense fallback={button}>{children(trigger)}</Suspense> : button
}
