import { router, usePage } from '@inertiajs/react'
import { type ComponentProps, type ReactElement, type ReactNode, useState } from 'react'
import type { Path } from '../../features/paths.ts'
import { CurrentPasswordField } from '../forms/current-password-field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { Username } from '../forms/username.tsx'
import { Dialog, DialogActions } from '../shared/dialog.tsx'

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
          if (page.flash.alert) return // which the form says
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
