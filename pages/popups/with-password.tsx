import type { FormComponentRef } from '@inertiajs/core'
import type { ComponentProps, ReactNode } from 'react'
import { CurrentPasswordField } from '../forms/current-password-field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { SmallButton } from '../shared/button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

type FormProps = ComponentProps<typeof Form>

type Props = Omit<ComponentProps<typeof Dialog>, 'children'> & {
  action: string
  /** For submits that are not visits. */
  instead?: ((form: FormComponentRef, close: () => void, signal: AbortSignal) => Promise<void>) | undefined
  children: ReactNode
} & Pick<FormProps, 'to' | 'data' | 'onSuccess'> &
  Pick<ComponentProps<typeof Submit>, 'look'>

/** A form in a dialog, which its success closes. */
export const FormDialog = ({ action, look, to, data, instead, onSuccess, children, ...dialog }: Props) => (
  <Dialog {...dialog}>
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
        {children}
        <DialogActions>
          <Submit look={look}>{action}</Submit>
        </DialogActions>
      </Form>
    )}
  </Dialog>
)

/** Explains what is about to happen and asks for the password. */
export const WithPassword = ({ children, ...dialog }: Omit<Props, 'explanation'>) => (
  <FormDialog trigger={<SmallButton>{dialog.action}</SmallButton>} {...dialog} explanation={children}>
    <CurrentPasswordField alone />
  </FormDialog>
)
