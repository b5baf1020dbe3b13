import { Link } from '@inertiajs/react'
import { singleSignOnPaths } from '../../features/single-sign-on/paths.ts'
import type { GuestFeature } from '../feature.ts'
import type { GuestContext } from '../places.ts'
import { t } from '../words/t.ts'

export const singleSignOn: GuestFeature = {
  option: 'single-sign-on',
  parts: { 'auth/sign-in:other': SignInWithCompany },
}

function SignInWithCompany({ invitation, returnTo }: GuestContext) {
  return (
    <p className="auth-other">
      <Link href={singleSignOnPaths.singleSignOnByEmail(invitation, returnTo).url}>
        {t('Sign in with your company')}
      </Link>
    </p>
  )
}
