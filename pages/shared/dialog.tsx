import { AlertDialog } from '@base-ui/react/alert-dialog'
import type { ReactElement, ReactNode } from 'react'
import { Button } from './button.tsx'

type Props = {
  trigger: ReactElement
  title: string
  explanation: ReactNode
  children: ReactNode
  defaultOpen?: boolean
  /** Given, it is opened and closed from outside. */
  open?: boolean
  onOpen?(): void
  onClose?(): void
}

/** A decision that is made, or called off, before anything else. */
export function Dialog({ trigger, title, explanation, children, defaultOpen, open, onOpen, onClose }: Props) {
  return (
    <AlertDialog.Root defaultOpen={defaultOpen} open={open} onOpenChange={(next) => (next ? onOpen?.() : onClose?.())}>
      <AlertDialog.Trigger render={trigger} />
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="dialog-backdrop" />
        <AlertDialog.Viewport className="dialog-viewport">
          <AlertDialog.Popup className="dialog">
            <AlertDialog.Title className="dialog-title">{title}</AlertDialog.Title>
            <AlertDialog.Description className="dialog-explanation" render={<div />}>
              {explanation}
            </AlertDialog.Description>
            {children}
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className="dialog-actions">
    <AlertDialog.Close render={<Button size="large" />}>Cancel</AlertDialog.Close>
    {children}
  </div>
)
