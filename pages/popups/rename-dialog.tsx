import { router } from '@inertiajs/react'
import type { ReactElement, ReactNode } from 'react'
import type { Path } from '../../features/paths.ts'
import { Field } from '../forms/field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { t } from '../words/t.ts'
import { Dialog, DialogActions } from './dialog.tsx'

/** `name` is the present one. */
export type Renaming = { name: string; to: Path; title: ReactNode; children: ReactNode }

export default function RenameDialog({ trigger, name, to, title, children }: Renaming & { trigger: ReactElement }) {
  return (
    <Dialog
      trigger={trigger}
      title={title}
      explanation={children}
      isForm
      onClose={() => router.replaceProp('errors', {})} // otherwise the errors would still be there when it opens again
    >
      {(close) => (
        <Form to={to} onSuccess={({ flash }) => flash.alert || close()}>
          <Field name="name" label={t('Name')} maxLength={60} autoComplete="off" defaultValue={name} required />
          <DialogActions>
            <Submit>{t('Rename')}</Submit>
          </DialogActions>
        </Form>
      )}
    </Dialog>
  )
}
