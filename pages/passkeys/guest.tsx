import { passkeysPaths } from '../../features/passkeys/paths.ts'
import type { GuestFeature } from '../feature.ts'
import type { WayProps } from '../places.ts'
import { t } from '../words/t.ts'
import { PasskeyButton } from './passkey-button.tsx'

export const passkeys: GuestFeature = {
  option: 'passkeys',
  parts: { 'auth/sign-in:more': SignInWithPasskey },
  autoComplete: 'webauthn',
}

function SignInWithPasskey({ page, invitation, returnTo, shows }: WayProps) {
  if (!shows('passkey')) return null
  return (
    <PasskeyButton
      to={passkeysPaths.signInWithPasskey()}
      data={{ invitation, return_to: returnTo }}
      label={t('Sign in with a passkey')}
      offers
      isLast={page.last_method === 'passkey'}
    />
  )
}
