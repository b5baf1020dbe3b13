import type { FormComponentRef } from '@inertiajs/core'
import { usePage } from '@inertiajs/react'
import { useState } from 'react'
import { paths } from '../../features/paths.ts'
import { CurrentPasswordField } from '../forms/current-password-field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { Username } from '../forms/username.tsx'
import { useHydrated } from '../hooks/hydrated.ts'
import { Button } from '../shared/button.tsx'
import { Dialog, DialogActions } from '../shared/dialog.tsx'
import { dismissAlert, showAlert } from '../visits/alerts.ts'

/** Asks for the password first, and then has the browser make a passkey. */
export function AddPasskey() {
  const alive = useHydrated()
  const [open, setOpen] = useState(false)
  const { user } = usePage().props.auth

  const make = async (form: FormComponentRef) => {
    dismissAlert()
    try {
      const { makePasskey } = await import('./make-passkey.ts')
      const errors = await makePasskey(form.getData())
      if (errors) form.setError(errors)
      else setOpen(false)
    } catch (error) {
      setOpen(false)
      showAlert({ text: explain(error) })
    }
  }

  if (alive && !('PublicKeyCredential' in window)) return null
  return (
    <Dialog
      trigger={
        <Button size="small">
          Add<span className="visually-hidden"> a passkey</span>
        </Button>
      }
      title="Add a passkey"
      explanation="First your password. Then your device asks where to keep the passkey, and how to open it."
      open={open}
      onOpen={() => setOpen(true)}
      onClose={() => setOpen(false)}
    >
      <Form to={paths.passkeyOptions()} instead={make}>
        {user && <Username of={user} />}
        <CurrentPasswordField />
        <DialogActions>
          <Submit>Continue</Submit>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

function explain(error: unknown) {
  const name = error instanceof Error ? error.name : ''
  if (name === 'InvalidStateError') return 'This device keeps a passkey of yours already.'
  if (name === 'NotAllowedError' || name === 'AbortError') return 'No passkey was made. You can try again at any time.'
  return 'That did not work. Please try again in a moment.'
}
