import { type ComponentProps, cloneElement, type ReactElement } from 'react'

export type Trigger = ReactElement<ComponentProps<'button'>>

/**
 * The button of a popup before its first press. The popup is built then: a list has a hundred of them, which would take
 * ten times as long to render as the rest of the list.
 */
export const closed = (trigger: Trigger, opens: 'menu' | 'dialog', onClick: () => void) =>
  cloneElement(trigger, { 'aria-haspopup': opens, 'aria-expanded': false, onClick })
