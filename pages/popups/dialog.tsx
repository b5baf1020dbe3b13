import { AlertDialog } from '@base-ui/react/alert-dialog'
import { useFormContext } from '@inertiajs/react'
import { type ComponentProps, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { Sending } from '../forms/form.tsx'
import { Alert } from '../shared/alert.tsx'
import { Button } from '../shared/button.tsx'
import { useAlert } from '../visits/alerts.ts'
import { t } from '../words/t.ts'
import { closed, type Trigger } from './closed.tsx'

type Props = {
  /** Without a trigger, the dialog opens when it is mounted. */
  trigger?: Trigger
  finalFocus?: RefObject<HTMLElement | null>
  title: ReactNode
  explanation: ReactNode
  /** A function gets a callback that closes the dialog. */
  children: ReactNode | ((close: () => void) => ReactNode)
  /** Interrupts with an urgent question: what it does cannot simply be undone. */
  isDangerous?: boolean
  onClose?(): void
}

type DialogProps = Props & { opened?: boolean | undefined }

export function Dialog({ opened = false, ...dialog }: DialogProps) {
  const { trigger } = dialog
  const [isBuilt, setBuilt] = useState(!trigger)
  const open = () => setBuilt(true)
  useEffect(() => {
    if (opened) setBuilt(true)
  }, [opened])
  return isBuilt || !trigger ? <Built {...dialog} opened={opened} /> : closed(trigger, 'dialog', open)
}

function Built({ trigger, finalFocus, title, explanation, children, isDangerous, onClose, opened }: DialogProps) {
  const [open, setOpen] = useState(true)
  const sending = useRef(false)
  useEffect(() => {
    if (opened) setOpen(true)
  }, [opened])

  return (
    <AlertDialog.Root
      open={open}
      onOpenChange={(open) => sending.current || setOpen(open)}
      onOpenChangeComplete={(open) => open || onClose?.()}
    >
      {trigger && <AlertDialog.Trigger render={trigger} />}
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="dialog-backdrop" />
        <AlertDialog.Viewport className="dialog-viewport">
          <AlertDialog.Popup className="dialog" finalFocus={finalFocus} role={isDangerous ? 'alertdialog' : 'dialog'}>
            <AlertDialog.Title className="dialog-title">{title}</AlertDialog.Title>
            <AlertDialog.Description className="dialog-explanation" render={<div />}>
              {explanation}
            </AlertDialog.Description>
            {open && <DialogAlert />}
            <Sending value={sending}>
              {typeof children === 'function' ? children(() => setOpen(false)) : children}
            </Sending>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

/** What happens while a dialog is open is said in it, since the rest of the page is out of reach. */
function DialogAlert() {
  const alert = useAlert()
  const [before] = useState(alert)
  return alert && alert !== before && <Alert>{alert.text}</Alert>
}

export function DialogActions({ cancel = t('Cancel'), children }: { cancel?: string; children?: ReactNode }) {
  const isSending = useFormContext()?.processing ?? false
  return (
    <div className="dialog-actions">
      <AlertDialog.Close render={<Button aria-disabled={isSending} />}>{cancel}</AlertDialog.Close>
      {children}
    </div>
  )
}

export type Decision = {
  action: string
  cancel?: string
  onConfirm(): void
} & Pick<ComponentProps<typeof Button>, 'look'> &
  Pick<ComponentProps<typeof Dialog>, 'title' | 'explanation'>

type AskProps = Decision & Pick<ComponentProps<typeof Dialog>, 'trigger' | 'finalFocus' | 'onClose'>

export const Ask = ({ action, cancel, look = 'danger', onConfirm, ...dialog }: AskProps) => (
  <Dialog {...dialog} isDangerous={look === 'danger'}>
    <DialogActions {...(cancel && { cancel })}>
      <AlertDialog.Close render={<Button look={look} onClick={onConfirm} />}>{action}</AlertDialog.Close>
    </DialogActions>
  </Dialog>
)
