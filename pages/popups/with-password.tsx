import type { FormComponentRef } from '@inertiajs/core'
import type { ComponentProps, ReactNode } from 'react'
import type { Path } from '../../features/paths.ts'
import { CurrentPasswordField } from '../forms/current-password-field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import type { Trigger } from './closed.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

type Props = {
  trigger: Trigger
  title: ReactNode
  action: string
  to: Path
  /** For submits that are not visits. */
  instead?(form: FormComponentRef, close: () => void, signal: AbortSignal): Promise<void>
  opened?: boolean
  children: ReactNode
} & Pick<ComponentProps<typeof Form>, 'data' | 'onSuccess'> &
  Pick<ComponentProps<typeof Submit>, 'look'>

export function WithPassword({ action, look, to, data, instead, onSuccess, children, ...dialog }: Props) {
  return (
    <Dialog {...dialog} explanation={children}>
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
          <CurrentPasswordField alone />
          <DialogActions>
            <Submit look={look}>{action}</Submit>
          </DialogActions>
        </Form>
      )}
    </Dialog>
  )
}
