import { usePage } from '@inertiajs/react'
import type { UserProps } from '../../features/auth/props.ts'
import { ResendVerification, useVerifiedElsewhere } from '../shared/verification.tsx'
import { rich, t } from '../words/t.ts'

const asking = ['settings/email', 'settings/security']

/** Asks for email verification on every page except those that do so themselves. */
export function VerificationBanner({ user }: { user: UserProps }) {
  const { component } = usePage()
  useVerifiedElsewhere(user.verified)
  if (user.verified || asking.includes(component)) return null

  return (
    <aside className="banner" aria-label={t('Email verification')}>
      <div className="banner-line">
        <p>
          {rich('Please verify your email address. We sent a link to {email}.', {
            email: <strong dir="auto">{user.email}</strong>,
          })}
        </p>
        <ResendVerification>{t('Send it again')}</ResendVerification>
      </div>
    </aside>
  )
}
