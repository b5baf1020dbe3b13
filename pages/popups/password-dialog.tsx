import type { FormComponentRef } from '@inertiajs/core'
import { router, usePage } from '@inertiajs/react'
import type { ComponentProps, ReactElement, ReactNode } from 'react'
import type { Path } from '../../features/paths.ts'
import { CurrentPasswordField } from '../forms/current-password-field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { Username } from '../forms/username.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

export type PasswordDecision = {
  title: ReactNode
  action: string
  to: Path
  /** For submits that are not visits. */
  instead?(form: FormComponentRef, close: () => void, signal: AbortSignal): Promise<void>
  children: ReactNode
} & Pick<ComponentProps<typeof Form>, 'data' | 'onSuccess'> &
  Pick<ComponentProps<typeof Submit>, 'look'>

export default function PasswordDialog(props: PasswordDecision & { trigger: ReactElement }) {
  const { trigger, title, action, look, to, data, instead, onSuccess, children } = props
  const { user } = usePage().props.auth

  return (
    <Dialog
      trigger={trigger}
      title={title}
      explanation={children}
      onClose={() => router.replaceProp('errors', {})} // otherwise the errors would still be there when it opens again
    >
      {(close) => (
        <Form
          to={to}
          {...(data && { data })}
          instead={instead && ((form, signal) => instead(form, close, signal))}
          onSuccess={(page) => {
            if (page.flash.alert) return // the form shows it
            close()
            onSuccess?.(page)
          }}
        >
          {user && <Username of={user} />}
          <CurrentPasswordField alone />
          <DialogActions>
            <Submit look={look}>{action}</Submit>
          </DialogActions>
        </Form>
      )}
    </Dialog>
  )
}
