import { useState } from 'react'
import type { PasskeyProps } from '../../features/passkeys/props.ts'
import { paths } from '../../features/paths.ts'
import { Field } from '../forms/field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { Button } from '../shared/button.tsx'
import { Dialog, DialogActions } from '../shared/dialog.tsx'

export function RenamePasskey({ passkey }: { passkey: PasskeyProps }) {
  const [open, setOpen] = useState(false)

  return (
    <Dialog
      trigger={
        <Button size="small">
          Rename<span className="visually-hidden"> {passkey.name}</span>
        </Button>
      }
      title="Rename this passkey"
      explanation="Call it after the device or the password manager that keeps it."
      open={open}
      onOpen={() => setOpen(true)}
      onClose={() => setOpen(false)}
    >
      <Form to={paths.renamePasskey(passkey.id)} onSuccess={() => setOpen(false)}>
        <Field name="name" label="Name" maxLength={60} autoComplete="off" defaultValue={passkey.name} required />
        <DialogActions>
          <Submit>Rename</Submit>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
