import type { FormComponentRef } from '@inertiajs/core'
import { router } from '@inertiajs/react'
import type { ComponentProps, ReactNode } from 'react'
import type { Path } from '../../features/paths.ts'
import { CurrentPasswordField } from '../forms/current-password-field.tsx'
import { useDocumentErrors } from '../forms/document-errors.ts'
import { Form, Submit } from '../forms/form.tsx'
import { Button, SmallButton } from '../shared/button.tsx'
import { t } from '../words/t.ts'
import { Dialog, DialogActions } from './dialog.tsx'

type FormProps = ComponentProps<typeof Form>

type Props = Omit<ComponentProps<typeof Dialog>, 'children'> & {
  action: string
  /** For submits that are not visits. */
  instead?: ((form: FormComponentRef, close: () => void, signal: AbortSignal) => Promise<void>) | undefined
  children: ReactNode
} & Pick<FormProps, 'to' | 'data' | 'options' | 'onSuccess'> &
  Pick<ComponentProps<typeof Submit>, 'look'>

/** A form in a dialog, which its success closes. */
export const FormDialog = ({ action, look, to, data, options, instead, onSuccess, children, ...dialog }: Props) => (
  <Dialog {...dialog} isDangerous={look === 'danger'}>
    {(close) => (
      <Form
        to={to}
        {...(data && { data })}
        {...(options && { options })}
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

type DeletionProps = { title?: ReactNode; action: string; to: Path; onSuccess?(): void; children: ReactNode }

export function Deletion({ action, title = t('{action}?', { action }), to, onSuccess, children }: DeletionProps) {
  const errors = useDocumentErrors()
  const isRefused = Object.keys(errors).some((field) => field.endsWith('_challenge'))
  return (
    <WithPassword
      trigger={<Button>{action}</Button>}
      title={title}
      action={action}
      look="danger"
      to={to}
      onSuccess={() => {
        router.flushAll()
        onSuccess?.()
      }}
      opened={isRefused} // if rejected and fully reloaded, the dialog opens again
    >
      {children}
    </WithPassword>
  )
}
