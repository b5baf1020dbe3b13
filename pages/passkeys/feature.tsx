import { Fingerprint } from 'lucide-react'
import type { PasskeyActivities } from '../../features/passkeys/activities.ts'
import type { Feature } from '../feature.ts'
import { rich } from '../words/t.ts'
import { PasskeyInstead } from './passkey-instead.tsx'
import { PasskeyOffer } from './passkey-offer.tsx'

export const passkeys: Feature<keyof PasskeyActivities> = {
  option: 'passkeys',
  parts: { 'accounts/show': PasskeyOffer, 'current-password': PasskeyInstead },
  icons: {
    passkey_added: Fingerprint,
    passkey_renamed: Fingerprint,
    passkey_removed: Fingerprint,
  },
  sentences: {
    passkey_added: ({ actor }, { details }) =>
      rich('{actor} added the passkey {passkey}', { actor, passkey: details.passkey_name }),
    passkey_renamed: ({ actor }, { details }) =>
      rich('{actor} renamed the passkey {from} to {to}', { actor, from: details.from, to: details.to }),
    passkey_removed: ({ actor }, { details }) =>
      rich('{actor} removed the passkey {passkey}', { actor, passkey: details.passkey_name }),
  },
}
