import { Fingerprint, KeyRound } from 'lucide-react'
import type { PasskeyActivities } from '../../features/passkeys/activities.ts'
import { passkeyWords } from '../../features/passkeys/words.ts'
import { paths } from '../../features/paths.ts'
import { text } from '../../plugins/languages/text.ts'
import type { Feature } from '../feature.ts'
import { rich } from '../words/t.ts'
import { PasskeyInstead } from './passkey-instead.tsx'
import { PasskeyOffer } from './passkey-offer.tsx'
import { PasskeyStep } from './passkey-step.tsx'
import { Passkeys } from './passkeys.tsx'
import { protectByPasskeys } from './protection.ts'
import { AcceptedPasskeys } from './signals.tsx'

export const passkeys: Feature<keyof PasskeyActivities> = {
  option: 'passkeys',
  methods: { first: { passkey: passkeyWords } },
  firstSteps: {
    passkey: {
      icon: KeyRound,
      name: text('Set up a passkey'),
      why: text('So that your fingerprint, face or PIN signs you in.'),
      path: () => `${paths.security().url}#passkeys`,
    },
  },
  parts: {
    'auth/second-factor': PasskeyStep,
    'accounts/show': PasskeyOffer,
    'current-password': PasskeyInstead,
    'settings/security': Passkeys,
    'settings/security:first': AcceptedPasskeys,
    'settings/email': AcceptedPasskeys,
    'settings/profile': AcceptedPasskeys,
  },
  protection: protectByPasskeys,
  mails: { passkey_added: text('A passkey was added'), passkey_removed: text('A passkey was removed') },
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
