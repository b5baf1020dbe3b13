import { MailCheck, MailWarning } from 'lucide-react'
import { useState } from 'react'
import type { UserProps } from '../../features/auth/props.ts'
import { paths } from '../../features/paths.ts'
import type { PageProps } from '../../plugins/inertia/pages.ts'
import { CurrentPasswordField } from '../forms/current-password-field.tsx'
import { EmailField } from '../forms/email-field.tsx'
import { Form, Submit } from '../forms/form.tsx'
import { settingsLayouts } from '../layouts/settings.tsx'
import { Parts } from '../parts/parts.tsx'
import { Heading } from '../shared/heading.tsx'
import { ResendVerification } from '../shared/verification.tsx'
import { rich, t } from '../words/t.ts'

export default function Email(props: PageProps<'settings/email'>) {
  const { user } = props.auth
  return (
    <>
      <Heading title={t('Email')}>{t('You sign in with it, and we write to you there when it matters.')}</Heading>
      {user && <Address user={user} />}
      <div className="card">
        <Form to={paths.changeEmail()} validatesAhead>
          <NewEmail current={user?.email} />
          <CurrentPasswordField />
          <Submit>{t('Change email')}</Submit>
        </Form>
      </div>
      <Parts of="settings/email" with={props} />
    </>
  )
}

/** Empty at first, since only another address is a change. */
function NewEmail({ current }: { current: string | undefined }) {
  const [typed, setTyped] = useState('')
  const isSame = current !== undefined && typed.trim().toLowerCase() === current

  return (
    <EmailField
      label={t('New email')}
      autoComplete="email"
      hint={isSame && t("That's already your address.")}
      onType={setTyped}
    />
  )
}

function Address({ user: { email, verified } }: { user: UserProps }) {
  const Icon = verified ? MailCheck : MailWarning

  return (
    <div className="card row">
      <Icon className="row-icon" />
      <div className="row-text">
        <strong>
          <bdi>{email}</bdi> {verified ? <span className="badge">{t('Verified')}</span> : <Unverified />}
        </strong>
        <span>
          {verified
            ? t("If you ever forget your password, we'll send a link to this address.")
            : rich(
                `Check {email}: we sent a link there, and you have two days to open it. Until then, we can't help you
                  if you lose your password.`,
                { email },
              )}
        </span>
      </div>
      {!verified && <ResendVerification>{t('Resend verification email')}</ResendVerification>}
    </div>
  )
}

const Unverified = () => <span className="badge badge-open">{t('Not verified')}</span>

Email.layout = settingsLayouts
