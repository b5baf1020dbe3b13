import type { ReactNode } from 'react'
import type { Path } from '../../features/paths.ts'
import { Field } from '../forms/field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { Dialog, DialogActions } from '../popups/dialog.tsx'
import { Button } from '../shared/button.tsx'
import { rich, t } from '../words/t.ts'

/** `name` is the present one. */
type Props = { name: string; to: Path; title: ReactNode; children: ReactNode }

/** A button that asks for another name. */
export const Rename = ({ name, to, title, children }: Props) => (
  <Dialog
    isForm
    title={title}
    explanation={children}
    trigger={
      <Button size="small">{rich('Rename {what}', { what: <bdi className="visually-hidden">{name}</bdi> })}</Button>
    }
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
