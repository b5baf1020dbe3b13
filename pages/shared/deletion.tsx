import { router } from '@inertiajs/react'
import { type ReactNode, useState } from 'react'
import type { Path } from '../../features/paths.ts'
import { CurrentPasswordField } from '../forms/current-password-field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { Username } from '../forms/username.tsx'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

type Props = { action: string; to: Path; user: { email: string }; refused: boolean; children: ReactNode }

/** Deletes what cannot come back, after saying what is lost, and only with the password. */
export function Deletion({ action, to, user, refused, children }: Props) {
  const [refusedBefore] = useState(refused) // and then loaded afresh: the decision is still to be made

  return (
    <Dialog
      trigger={<Button>{action}</Button>}
      title={`${action}?`}
      explanation={children}
      defaultOpen={refusedBefore}
      onClose={() => router.replaceProp('errors', {})} // or the next opening would begin with them
    >
      <Form to={to} onSuccess={() => router.flushAll()}>
        <Username of={user} />
        <CurrentPasswordField />
        <DialogActions>
          <Submit look="danger">{action}</Submit>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
