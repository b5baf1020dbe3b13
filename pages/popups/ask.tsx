import { AlertDialog } from '@base-ui/react/alert-dialog'
import type { ComponentProps } from 'react'
import { Button } from '../shared/button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

export type Decision = {
  action: string
  cancel?: string
  onConfirm(): void
} & Pick<ComponentProps<typeof Button>, 'look'> &
  Pick<ComponentProps<typeof Dialog>, 'title' | 'explanation'>

type Props = Decision & Pick<ComponentProps<typeof Dialog>, 'trigger' | 'finalFocus' | 'onClose'>

export const Ask = ({ action, cancel, look = 'danger', onConfirm, ...dialog }: Props) => (
  <Dialog {...dialog}>
    <DialogActions {...(cancel && { cancel })}>
      <AlertDialog.Close render={<Button look={look} onClick={onConfirm} />}>{action}</AlertDialog.Close>
    </DialogActions>
  </Dialog>
)
