import type { UserProps } from '../../features/auth/props.ts'
import { ResendVerification, useVerifiedElsewhere } from '../shared/verification.tsx'
import { rich, t } from '../words/t.ts'

/** Asks for email verification on every page. Where the page does so itself, styles/banner.css hides it. */
export function VerificationBanner({ user }: { user: UserProps }) {
  useVerifiedElsewhere(user.verified)
  if (user.verified) return null

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
