import type { ReactNode } from 'react'
import type { Path } from '../../features/paths.ts'
import { Field } from '../forms/field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { Dialog, DialogActions } from '../popups/dialog.tsx'
import { Button } from '../shared/button.tsx'
import { t } from '../words/t.ts'

type Props = { name: string; to: Path; title: ReactNode; children: ReactNode }

export const Rename = ({ name, to, title, children }: Props) => (
  <Dialog
    isForm
    title={title}
    explanation={children}
    trigger={
      <Button size="small" aria-label={t('Rename {name}', { name })}>
        {t('Rename')}
      </Button>
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
