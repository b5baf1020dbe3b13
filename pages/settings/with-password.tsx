import { router, usePage } from '@inertiajs/react'
import { type ComponentProps, type ReactElement, type ReactNode, useState } from 'react'
import type { Path } from '../../features/paths.ts'
import { CurrentPasswordField } from '../shared/current-password-field.tsx'
import { Dialog, DialogActions } from '../shared/dialog.tsx'
import { Form, Submit } from '../shared/form.tsx'
import { Username } from '../shared/username.tsx'

type Props = { trigger: ReactElement; title: string; action: string; to: Path; children: ReactNode } & Pick<
  ComponentProps<typeof Form>,
  'onSuccess'
> &
  Pick<ComponentProps<typeof Submit>, 'look'>

/** Asks for the password before something is done that a stranger at this browser must not do. */
export function WithPassword({ trigger, title, action, look, to, onSuccess, children }: Props) {
  const [open, setOpen] = useState(false)
  const { user } = usePage().props.auth

  return (
    <Dialog
      trigger={trigger}
      title={title}
      explanation={children}
      open={open}
      onOpen={() => setOpen(true)}
      onClose={() => {
        setOpen(false)
        router.replaceProp('errors', {}) // or the next opening would begin with them
      }}
    >
      <Form
        to={to}
        onSuccess={(page) => {
          setOpen(false)
          onSuccess?.(page)
        }}
      >
        {user && <Username of={user} />}
        <CurrentPasswordField />
        <DialogActions>
          <Submit look={look}>{action}</Submit>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
