import { Mail } from 'lucide-react'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { CurrentPasswordField } from '../forms/current-password-field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { NewPasswordField, withConfirmation } from '../forms/password-field.tsx'
import { settingsLayouts } from '../layouts/settings.tsx'
import { Heading } from '../shared/heading.tsx'
import { Topic } from '../shared/topic.tsx'
import { rich, t } from '../words/t.ts'
import { VerifyFirst } from './verify-first.tsx'

export default function Password({ auth: { user }, without_password }: PageProps<'settings/password'>) {
  if (without_password) return <FirstPassword email={user?.email} verified={user?.verified ?? false} />
  return (
    <>
      <Heading title={t('Password')}>{t('Changing it signs you out on all your other devices.')}</Heading>
      <div className="card">
        <Form to={paths.changePassword()} data={withConfirmation} validatesAhead>
          <CurrentPasswordField />
          <NewPasswordField label={t('New password')} />
          <Submit>{t('Change password')}</Submit>
        </Form>
      </div>
    </>
  )
}

const FirstPassword = ({ email, verified }: { email: string | undefined; verified: boolean }) => (
  <>
    <Heading title={t('Password')}>{t("You don't have one: you sign in without it.")}</Heading>
    <VerifyFirst />
    {verified && (
      <Topic
        icon={Mail}
        title={t('Set a password')}
        explanation={rich(
          `We'll send a link to {email}. It works once and expires after 20 minutes. Setting a password signs you out
            everywhere.`,
          { email },
        )}
        action={
          <Form to={paths.mailPasswordLink()}>
            <Submit>{t('Send the link')}</Submit>
          </Form>
        }
      />
    )}
  </>
)

Password.layout = settingsLayouts
