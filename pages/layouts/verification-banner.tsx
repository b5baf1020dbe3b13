import { usePage } from '@inertiajs/react'
import type { UserProps } from '../../features/auth/props.ts'
import { ResendVerification } from '../shared/resend-verification.tsx'

/** Asks for email verification on every page except the one that is about it. */
export function VerificationBanner({ user }: { user: UserProps }) {
  const { component } = usePage()
  if (user.verified || component === 'settings/email') return null

  return (
    <aside className="banner" aria-label="Email verification">
      <div className="banner-line">
        <p>
          Please verify your email address. We sent a link to <strong>{user.email}</strong>.
        </p>
        <ResendVerification>Send it again</ResendVerification>
      </div>
    </aside>
  )
}
