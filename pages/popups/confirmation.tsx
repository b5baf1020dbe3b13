import { AlertDialog } from '@base-ui/react/alert-dialog'
import type { ComponentProps, ReactElement, ReactNode, RefObject } from 'react'
import { Button } from '../shared/button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

export type Decision = {
  title: ReactNode
  explanation: ReactNode
  action: string
  cancel?: string
  onConfirm(): void
} & Pick<ComponentProps<typeof Button>, 'look'>
type Props = Decision & { trigger?: ReactElement; finalFocus?: RefObject<HTMLElement | null>; onClose?(): void }

/** Asks for confirmation of an action that is irreversible, or concerns others. */
export default function Confirmation({ action, cancel, look = 'danger', onConfirm, ...dialog }: Props) {
  return (
    <Dialog {...dialog}>
      <DialogActions {...(cancel && { cancel })}>
        <AlertDialog.Close render={<Button look={look} size="large" onClick={onConfirm} />}>{action}</AlertDialog.Close>
      </DialogActions>
    </Dialog>
  )
}
