import type { ReactElement } from 'react'
import type { PasskeyProps } from '../../features/passkeys/props.ts'
import { paths } from '../../features/paths.ts'
import { Field } from '../forms/field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { Dialog, DialogActions } from '../popups/dialog.tsx'
import { t } from '../words/t.ts'

export default function RenameDialog({ trigger, passkey }: { trigger: ReactElement; passkey: PasskeyProps }) {
  return (
    <Dialog
      trigger={trigger}
      title={t('Rename this passkey')}
      explanation={t('Call it after the device or the password manager that keeps it.')}
      isForm
    >
      {(close) => (
        <Form to={paths.renamePasskey(passkey.id)} onSuccess={close}>
          <Field name="name" label={t('Name')} maxLength={60} autoComplete="off" defaultValue={passkey.name} required />
          <DialogActions>
            <Submit>{t('Rename')}</Submit>
          </DialogActions>
        </Form>
      )}
    </Dialog>
  )
}
