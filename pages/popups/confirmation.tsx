import { AlertDialog } from '@base-ui/react/alert-dialog'
import type { ReactElement, ReactNode, RefObject } from 'react'
import { Button } from '../shared/button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

export type Decision = { title: ReactNode; explanation: ReactNode; action: string; onConfirm(): void }
type Props = Decision & { trigger?: ReactElement; finalFocus?: RefObject<HTMLElement | null>; onClose?(): void }

/** Asks for confirmation of an irreversible action. */
export default function Confirmation({ action, onConfirm, ...dialog }: Props) {
  return (
    <Dialog {...dialog}>
      <DialogActions>
        <AlertDialog.Close render={<Button look="danger" size="large" onClick={onConfirm} />}>
          {action}
        </AlertDialog.Close>
      </DialogActions>
    </Dialog>
  )
}
