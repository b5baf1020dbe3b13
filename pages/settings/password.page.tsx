import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { CurrentPasswordField } from '../forms/current-password-field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { NewPasswordFields } from '../forms/new-password-fields.tsx'
import { Username } from '../forms/password-field.tsx'
import { AppLayout } from '../layouts/app.tsx'
import { SettingsLayout } from '../layouts/settings.tsx'
import { Heading } from '../shared/heading.tsx'
import { t } from '../words/t.ts'
import { FirstPassword } from './first-password.tsx'

export default function Password({ auth: { user }, without_password }: PageProps<'settings/password'>) {
  if (without_password) return <FirstPassword email={user?.email} verified={user?.verified ?? false} />
  return (
    <>
      <Heading title={t('Password')}>{t('Changing it signs you out on all your other devices.')}</Heading>
      <div className="card">
        <Form to={paths.changePassword()} validatesAhead>
          {user && <Username of={user} />}
          <CurrentPasswordField />
          <NewPasswordFields label={t('New password')} />
          <Submit>{t('Change password')}</Submit>
        </Form>
      </div>
    </>
  )
}

Password.layout = [AppLayout, SettingsLayout]
