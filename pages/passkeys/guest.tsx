import { passkeysPaths } from '../../features/passkeys/paths.ts'
import type { GuestFeature } from '../feature.ts'
import type { WayProps } from '../places.ts'
import { t } from '../words/t.ts'
import { PasskeyButton } from './passkey-button.tsx'

export const passkeys: GuestFeature = {
  option: 'passkeys',
  ways: () => [{ id: 'passkey', autoComplete: 'webauthn', Button: SignInWithPasskey }],
}

function SignInWithPasskey({ invitation, returnTo }: WayProps) {
  return (
    <PasskeyButton
      to={passkeysPaths.signInWithPasskey()}
      data={{ invitation, return_to: returnTo }}
      label={t('Sign in with a passkey')}
      offers
    />
  )
}
