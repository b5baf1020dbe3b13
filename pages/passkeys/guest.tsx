import { passkeysPaths } from '../../features/passkeys/paths.ts'
import type { GuestFeature } from '../feature.ts'
import type { GuestContext } from '../places.ts'
import { t } from '../words/t.ts'
import { PasskeyButton } from './passkey-button.tsx'

export const passkeys: GuestFeature = { option: 'passkeys', parts: { 'auth/sign-in:other': SignInWithPasskey } }

function SignInWithPasskey({ invitation, returnTo }: GuestContext) {
  return (
    <PasskeyButton
      to={passkeysPaths.signInWithPasskey()}
      data={{ invitation, return_to: returnTo }}
      label={t('Sign in with a passkey')}
      offers
    >
      {t('No password needed: use your fingerprint, face or device PIN.')}
    </PasskeyButton>
  )
}
