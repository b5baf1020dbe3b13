import { AlertDialog } from '@base-ui/react/alert-dialog'
import type { ReactElement, ReactNode } from 'react'
import { Button } from '../shared/button.tsx'
import { Dialog, DialogActions } from '../shared/dialog.tsx'

type Props = { trigger: ReactElement; title: string; explanation: ReactNode; action: string; onConfirm(): void }

/** Asks before something that cannot be undone. */
export const Confirmation = ({ trigger, title, explanation, action, onConfirm }: Props) => (
  <Dialog trigger={trigger} title={title} explanation={explanation}>
    <DialogActions>
      <AlertDialog.Close render={<Button look="danger" size="large" onClick={onConfirm} />}>{action}</AlertDialog.Close>
    </DialogActions>
  </Dialog>
)
